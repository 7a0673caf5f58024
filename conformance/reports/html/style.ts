/** The style of the page: one column, readable on a phone, dark mode by preference. */
export const style = `
:root{color-scheme:light dark;--bg:#fff;--fg:#1c2128;--dim:#5b6470;--line:#d8dde3;--soft:#f4f6f8;--red:#b3261e;--redsoft:#fdecea;--amber:#8a5a00;--ambersoft:#fff3d6;--green:#176b34;--greensoft:#e4f5e9;--blue:#0b57d0;--grey:#eceff2;--violet:#6f42c1;--teal:#0f6e78}
@media (prefers-color-scheme:dark){:root{--bg:#14171b;--fg:#e4e8ec;--dim:#9aa4b0;--line:#343b44;--soft:#1c2127;--red:#ff8f86;--redsoft:#3b1d1b;--amber:#f2c14e;--ambersoft:#3a2e10;--green:#7fd59a;--greensoft:#16301f;--blue:#8ab4f8;--grey:#2a3037;--violet:#c3a6ff;--teal:#67d0dc}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
main,header,footer{max-width:72rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:1.5rem}
h1{font-size:1.5rem;margin:0 0 .25rem;line-height:1.25}
h2{font-size:1.15rem;margin:2.25rem 0 .75rem;padding-top:.5rem;border-top:1px solid var(--line)}
a{color:var(--blue)}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.86em}
code{overflow-wrap:anywhere}
pre{margin:0;white-space:pre-wrap;overflow-wrap:anywhere;background:var(--soft);border:1px solid var(--line);border-radius:4px;padding:.5rem .6rem}
.banner{border-radius:6px;padding:.9rem 1.1rem;margin:1rem 0;border-left:6px solid}
.banner strong{font-size:1.2rem;display:block}
.banner.good{background:var(--greensoft);border-color:var(--green)}
.banner.bad{background:var(--redsoft);border-color:var(--red)}
.banner.unsure{background:var(--ambersoft);border-color:var(--amber)}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:.6rem;margin:1rem 0;padding:0;list-style:none}
.tiles li{border:1px solid var(--line);border-radius:6px;padding:.55rem .8rem}
.tiles b{display:block;font-size:1.35rem;line-height:1.2;font-variant-numeric:tabular-nums}
.tiles span{color:var(--dim);font-size:.85rem}
.tiles .red b{color:var(--red)}.tiles .amber b{color:var(--amber)}.tiles .green b{color:var(--green)}
.score{width:100%;height:14px;display:block;border-radius:3px}
.score .none{fill:var(--grey)}.score .provable{fill:var(--amber)}.score .wrong{fill:var(--red)}.score .proven{fill:var(--green)}
.facts{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem;margin:1rem 0}
.facts dt{color:var(--dim)}.facts dd{margin:0;overflow-wrap:anywhere}
.legend{display:flex;flex-wrap:wrap;gap:.3rem 1.1rem;list-style:none;padding:0;margin:.5rem 0 1rem;font-size:.85rem;color:var(--dim)}
.matrix{border-collapse:collapse;width:100%}
.matrix thead th{font-weight:500;color:var(--dim);font-size:.85rem;text-align:left}
.matrix th,.matrix td{padding:.15rem .5rem .15rem 0;vertical-align:top;text-align:left}
.matrix th[scope=row]{font-variant-numeric:tabular-nums;font-weight:600;width:4rem}
.matrix td:last-child{text-align:right;padding-right:0;color:var(--dim);font-variant-numeric:tabular-nums;width:4rem}
.cell{display:inline-block;width:1.35em;height:1.35em;line-height:1.35em;margin:0 2px 2px 0;border-radius:3px;text-align:center;font-size:.8rem;border:1px solid transparent;cursor:default}
.cell.green{background:var(--greensoft);color:var(--green);border-color:var(--green)}
.cell.amber{background:var(--ambersoft);color:var(--amber);border-color:var(--amber)}
.cell.unchecked{background:var(--redsoft);color:var(--red);border-color:var(--red)}
.cell.refuted{background:var(--red);color:var(--bg);border-color:var(--red)}
.cell.unknown{background:var(--grey);color:var(--dim)}
.cell.open{background:transparent;color:var(--dim);border:1px dashed var(--dim)}
.cell.reasoned{background:transparent;color:var(--dim);border-color:var(--line)}
[hidden]{display:none!important}
.search{display:flex;gap:.8rem;align-items:center;margin:0}.search output{color:var(--dim);white-space:nowrap}.search output:empty{display:none}.searching .result{display:none}
input[type=search]{flex:1;min-width:0;font:inherit;color:inherit;background:var(--soft);border:1px solid var(--dim);border-radius:999px;padding:.3rem .9rem}
summary{cursor:pointer}
:focus-visible{outline:2px solid var(--blue);outline-offset:2px}
.fold>summary h2{display:inline;border:0;margin:0;padding:0}
.fold{border-top:1px solid var(--line);margin-top:1.25rem;padding-top:.75rem}
.finding,.list{border:1px solid var(--line);border-left:4px solid var(--red);border-radius:6px;margin:.5rem 0;padding:0 .8rem}
.finding.outage,.list.untestable,.list.unreported{border-left-color:var(--amber)}.list.passed{border-left-color:var(--green)}.list.not-applicable{border-left-color:var(--line)}
.finding>summary,.list>summary,.part-of>summary,.more>summary{margin:0 -.8rem;padding:.55rem .8rem;overflow-wrap:anywhere}
.finding>summary strong{display:block;font-weight:600}
.finding>summary .count{font-weight:600;color:var(--red)}.finding.outage>summary .count{color:var(--amber)}
.finding .clauses{color:var(--dim);font-size:.85rem}
.part-of>summary,.more>summary{padding-top:.3rem;padding-bottom:.3rem;border-top:1px solid var(--line)}
.why{color:var(--dim);margin:0 0 .5rem}
.check{border:1px solid var(--line);border-left:4px solid var(--line);border-radius:4px;margin:.35rem 0;scroll-margin-top:.5rem}
.check>:not(summary){margin:.6rem .9rem}
.check>summary{padding:.35rem .7rem;overflow-wrap:anywhere}
.check:target{outline:2px solid var(--blue)}
.check.failed{border-left-color:var(--red)}.check.passed{border-left-color:var(--green)}.check.untestable,.check.unreported{border-left-color:var(--amber)}
.verdict{font-weight:600;font-size:.85rem}
.failed>summary .verdict{color:var(--red)}.list:not(.passed,.untestable,.unreported)>summary .verdict{color:var(--fg)}.passed>summary .verdict{color:var(--green)}.untestable>summary .verdict,.unreported>summary .verdict{color:var(--amber)}
.level,.ms,.title{color:var(--dim);font-size:.85rem}
dl{margin:0}
.check dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.3rem 1rem}
.check dt{color:var(--dim)}.check dd{margin:0;overflow-wrap:anywhere}
.word{font-weight:700;font-size:.8rem;padding-left:.4rem}.word.ok{color:var(--green)}.word.no{color:var(--red)}
.diff{border-collapse:collapse;width:100%;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.84em}
.diff th{text-align:left;font-weight:500;padding:.15rem .6rem;width:6rem;vertical-align:top;color:var(--dim)}
.diff [colspan]{font-weight:400;width:auto;color:var(--fg);background:var(--soft)}
.diff td{padding:.15rem .6rem;overflow-wrap:anywhere}
.diff .was{background:var(--greensoft)}.diff .is{background:var(--redsoft)}
.command{display:flex;gap:.4rem;align-items:flex-start}
.command pre{flex:1;min-width:0}
button{font:inherit;font-size:.85rem;border:1px solid var(--line);background:var(--soft);color:inherit;border-radius:4px;padding:.3rem .7rem;cursor:pointer}
details.seen>summary{color:var(--blue)}
p.seen{margin:.9rem 0 .3rem;overflow-wrap:anywhere}
p.part{margin:.4rem 0 .15rem;color:var(--dim);font-size:.8rem}
.at{color:var(--dim);font-variant-numeric:tabular-nums;font-size:.85rem}
.chip{border-radius:3px;padding:0 .35rem;font-size:.78rem;background:var(--grey)}
.waterfall{margin:1rem 0}
.waterfall figcaption{color:var(--dim);overflow-wrap:anywhere;margin-bottom:.4rem}
.waterfall ol{list-style:none;margin:0;padding:0}
.row{display:grid;grid-template-columns:4.5rem 5.5rem minmax(6rem,11rem) 8rem minmax(0,1fr);gap:.6rem;align-items:center;border-bottom:1px solid var(--line);padding:.1rem 0;font-size:.86rem}
.row .at{text-align:right}
.row .what{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.row .outcome{color:var(--dim);overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.row.bad .outcome{color:var(--red)}
.row svg{width:100%;height:20px;display:block;grid-column:-2/-1;overflow:visible}
.row.subject .what{font-weight:600}.row i{color:var(--dim)}
.row.axis{border-bottom:1px solid var(--fg)}
.row.axis svg{height:auto;aspect-ratio:1000/20}
.row.axis text{fill:var(--dim);font-size:15px}
.tick{stroke:var(--line);stroke-width:1;vector-effect:non-scaling-stroke;fill:none}
.row.rpc svg>:last-child{fill:var(--blue)}.row.explorer svg>:last-child{fill:var(--teal)}.row.websocket svg>:last-child{fill:var(--violet)}.row.webhook svg>:last-child{fill:var(--amber)}.row.block svg>:last-child{fill:var(--dim)}
.row.bad.webhook svg>:last-child,.row.bad.rpc svg>:last-child{fill:var(--red)}
footer{color:var(--dim);font-size:.85rem;padding-top:2rem;padding-bottom:3rem}
@media (max-width:48rem){
.row{grid-template-columns:max-content max-content minmax(0,1fr) max-content;gap:.1rem .5rem;padding:.3rem 0}
.row svg{grid-column:1/-1;height:14px}
.row.axis .at{display:none}.row.axis text{font-size:30px}.row.axis svg{aspect-ratio:1000/36}
.check dl,.facts{grid-template-columns:minmax(0,1fr);gap:0}
.check dd,.facts dd{margin:0 0 .5rem}
.command{flex-direction:column}.command pre{width:100%}
.diff th{width:4.6rem}.diff th,.diff td{padding-left:.4rem;padding-right:.4rem}
main,header,footer{padding-left:.8rem;padding-right:.8rem}
}
@media print{.search,.copy{display:none}details::details-content{content-visibility:visible;display:block}details.seen:has(>.stored):not([open])::details-content{display:none}}
`
