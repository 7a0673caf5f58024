import { evidenceScript } from './evidenceScript.ts'

/** Optional scripts of the page: copy a line, find a check, show stored evidence as exchanges, print. */
export const script = `
'use strict'
for (const button of document.querySelectorAll('button.copy')) {
  button.hidden = false
  button.addEventListener('click', () => {
    const text = button.previousElementSibling.textContent
    const say = (word) => { button.textContent = word; setTimeout(() => { button.textContent = 'copy' }, 1500) }
    navigator.clipboard?.writeText(text).then(() => say('copied'), () => say('not copied'))
  })
}
const search = document.querySelector('input[type=search]')
const openAround = (one) => {
  for (let at = one; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true
}
search.parentElement.hidden = false
search.addEventListener('input', () => {
  const word = search.value.trim().toLowerCase()
  const searching = word !== ''
  const found = new Set()
  let count = 0
  for (const check of document.querySelectorAll('.check')) {
    check.hidden = searching && !check.querySelector('summary').textContent.toLowerCase().includes(word)
    if (!searching || check.hidden) continue
    count++
    for (let at = check.parentElement; at; at = at.parentElement) found.add(at)
  }
  for (const list of document.querySelectorAll('.finding,.list,.part-of,.more')) {
    list.hidden = searching && !found.has(list)
    // A list of hundreds is not opened by a letter that all of them have.
    if (searching) list.open = count <= 100 && found.has(list)
  }
  document.body.classList.toggle('searching', searching)
  document.querySelector('.search output').textContent = searching ? (count === 1 ? '1 check' : count + ' checks') : ''
})
const show = () => {
  const check = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (!check || !check.classList.contains('check')) return
  openAround(check)
  check.scrollIntoView()
}
addEventListener('hashchange', show)
show()
// A printed page has all of it but the evidence of checks that did not fail, which is megabytes.
let closed = []
addEventListener('beforeprint', () => {
  closed = [...document.querySelectorAll('details:not([open])')].filter((one) => !one.querySelector(':scope > pre.stored'))
  for (const one of closed) one.open = true
})
addEventListener('afterprint', () => {
  for (const one of closed) one.open = false
})
${evidenceScript}`
