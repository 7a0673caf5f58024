import { evidenceScript } from './evidenceScript.ts'

/** Optional scripts of the page: copy a line, find a check, show stored evidence as exchanges. */
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
search.hidden = false
search.addEventListener('input', () => {
  const word = search.value.trim().toLowerCase()
  for (const check of document.querySelectorAll('.check'))
    check.hidden = word !== '' && !check.querySelector('summary').textContent.toLowerCase().includes(word)
})
const show = () => {
  const check = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (check && check.tagName === 'DETAILS') check.open = true
}
addEventListener('hashchange', show)
show()
${evidenceScript}`
