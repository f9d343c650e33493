// How the page looks: light and dark, wide and narrow, on paper.
// It must not know what a review says.

/** The style sheet. Colours are named once for light and once for dark; a test computes their contrast. */
export const STYLE = `:root{color-scheme:light dark;--page:#f5f6f8;--surface:#fff;--sunken:#f0f2f5;--text:#1c2128;--muted:#57606a;--line:#d5dae0;--accent:#0b5cad;--high:#b3122b;--high-soft:#fdebed;--medium:#8a4b00;--medium-soft:#fff3dc;--low:#1a5fa8;--low-soft:#e7f1fc;--good:#176635;--good-soft:#e3f5e9;--before:#fff0f0;--before-mark:#ffc9cc;--after:#ebf9ef;--after-mark:#a9e5bb;--third:#fff7e0;--third-mark:#ffe08a;--shadow:0 1px 2px rgb(20 30 40 / .06)}
@media (prefers-color-scheme:dark){:root{--page:#0e1116;--surface:#171b22;--sunken:#1e242d;--text:#e4e8ee;--muted:#9aa5b3;--line:#303844;--accent:#79b8ff;--high:#ff8b94;--high-soft:#3b1a20;--medium:#f2b866;--medium-soft:#38280f;--low:#8cc1ff;--low-soft:#14293f;--good:#6fd18f;--good-soft:#12301d;--before:#2c191d;--before-mark:#7d2630;--after:#13281b;--after-mark:#1d6636;--third:#2b2411;--third-mark:#6a5312;--shadow:none}}
*{box-sizing:border-box}
[hidden]{display:none!important}
html{scroll-padding-top:6rem;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--text);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
h1,h2,h3,h4,h5,p,ul,dl,dd,pre,fieldset{margin:0;padding:0}
ul{list-style:none}
code,pre,kbd{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace;font-size:.9em}
a{color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.skip{position:absolute;left:-999px}
.skip:focus{left:1rem;top:1rem;z-index:9;background:var(--surface);padding:.5rem 1rem;border-radius:6px}
.inner,main,footer{max-width:1180px;margin:0 auto;padding:0 1.5rem}
.top{background:var(--surface);border-bottom:1px solid var(--line);padding:1.5rem 0 1.25rem}
.eyebrow{color:var(--muted);font-size:.8rem;font-weight:600;letter-spacing:.06em;text-transform:uppercase}
h1{font-size:1.6rem;line-height:1.25;overflow-wrap:anywhere}
.slash{color:var(--muted);font-weight:400}
.facts{display:flex;flex-wrap:wrap;gap:.25rem 1.75rem;margin-top:.6rem;font-size:.9rem}
.facts div{display:flex;gap:.4rem;min-width:0}
.facts dt{color:var(--muted)}
.facts dd{overflow-wrap:anywhere}
.notes{margin-top:.6rem;color:var(--muted);font-size:.9rem;overflow-wrap:anywhere}
main>*{margin-top:1.25rem}
.outcome,.panel,.record,.filters,.empty{background:var(--surface);border:1px solid var(--line);border-radius:10px;box-shadow:var(--shadow)}
.outcome{--tone:var(--medium);--tone-soft:var(--medium-soft);padding:1.25rem 1.5rem}
.outcome.in-sync{--tone:var(--good);--tone-soft:var(--good-soft)}
.outcome.drift{--tone:var(--high);--tone-soft:var(--high-soft)}
.outcome h2{display:flex;align-items:center;gap:.65rem;font-size:1.35rem}
.sign{display:inline-grid;place-items:center;width:2rem;height:2rem;border-radius:50%;background:var(--tone-soft);color:var(--tone);font-weight:700}
.summary{margin-top:.4rem;font-size:1.05rem;overflow-wrap:anywhere}
.tiles{display:grid;grid-template-columns:repeat(6,1fr);gap:.6rem;margin-top:1rem}
.tile{--tone:var(--text);--tone-soft:var(--sunken);padding:.55rem .8rem;border-radius:8px;background:var(--tone-soft);color:var(--tone)}
.tile strong{display:block;font-size:1.5rem;line-height:1.2;font-variant-numeric:tabular-nums}
.tile span{font-size:.85rem}
.high{--tone:var(--high);--tone-soft:var(--high-soft)}
.medium,.tile.unread{--tone:var(--medium);--tone-soft:var(--medium-soft)}
.low{--tone:var(--low);--tone-soft:var(--low-soft)}
.tile.none{--tone:var(--muted);--tone-soft:var(--sunken)}
.coverage{display:flex;flex-wrap:wrap;align-items:center;gap:.3rem .75rem;margin-top:.9rem;color:var(--muted);font-size:.9rem}
meter{width:10rem;height:.9rem;flex:none}
.panel{padding:1rem 1.5rem}
.panel h2,#findings-title{font-size:1.1rem}
.panel.warning{border-left:4px solid var(--medium)}
.panel li{padding:.6rem 0;border-top:1px solid var(--line);overflow-wrap:anywhere}
.panel li:first-child{border-top:0}
.panel li p{color:var(--muted);font-size:.92rem}
.count{margin-left:.3rem;padding:.05rem .55rem;border-radius:999px;background:var(--sunken);color:var(--muted);font-size:.85rem;font-weight:600;font-variant-numeric:tabular-nums}
.filters{position:sticky;top:.5rem;z-index:2;display:flex;flex-wrap:wrap;align-items:end;gap:.6rem .7rem;padding:.75rem 1rem;box-shadow:0 4px 16px rgb(20 30 40 / .1)}
.field{display:flex;flex-direction:column;font-size:.8rem;color:var(--muted)}
.field.text{flex:1 1 11rem}
fieldset{border:0;display:flex;gap:.35rem;min-width:0}
legend{font-size:.8rem;color:var(--muted)}
input[type=search],select,button{font:inherit;font-size:.9rem;color:var(--text);background:var(--surface);border:1px solid var(--line);border-radius:6px;padding:0 .6rem;height:2.15rem}
select{max-width:8.5rem}
@media (max-width:1120px) and (min-width:761px){.field.text{flex-basis:6rem;min-width:0}.field.text input{width:100%;min-width:0}select{max-width:6.2rem}}
button{cursor:pointer;background:var(--sunken)}
button:hover{border-color:var(--muted)}
.chip{position:relative;display:inline-flex;cursor:pointer}
.chip input{position:absolute;opacity:0;inset:0;width:100%;height:100%;margin:0;cursor:pointer}
.chip span{display:inline-flex;align-items:center;gap:.35rem;height:2.15rem;padding:0 .7rem;border:1px solid var(--line);border-radius:6px;font-size:.9rem;color:var(--muted);text-decoration:line-through}
.chip b{font-weight:600;font-variant-numeric:tabular-nums}
.chip input:checked+span{background:var(--tone-soft);color:var(--tone);border-color:var(--tone);text-decoration:none}
.chip input:focus-visible+span{outline:2px solid var(--accent);outline-offset:2px}
.empty{margin-top:.75rem;padding:2.5rem 1rem;text-align:center;color:var(--muted)}
.big{display:block;font-size:2rem;color:var(--good)}
.group h3{margin:1.1rem 0 .6rem;font-size:.8rem;font-weight:600;letter-spacing:.06em;text-transform:uppercase;color:var(--muted)}
.record{margin-bottom:.9rem;overflow:clip;content-visibility:auto;contain-intrinsic-size:auto 16rem}
.record-head{display:flex;flex-wrap:wrap;align-items:baseline;gap:.2rem .75rem;padding:.6rem 1rem;background:var(--sunken);border-bottom:1px solid var(--line)}
.record-head h4{font-size:1rem;font-weight:400;overflow-wrap:anywhere}
.path{color:var(--muted)}
.name{font-weight:700}
.kind{padding:.05rem .5rem;border:1px solid var(--line);border-radius:999px;font-size:.8rem;color:var(--muted);background:var(--surface)}
.logical{margin-left:auto;font-size:.85rem;color:var(--muted);overflow-wrap:anywhere}
.finding{padding:.85rem 1rem 1rem;border-left:4px solid var(--tone);scroll-margin-top:6rem}
.finding+.finding{border-top:1px solid var(--line)}
.finding:focus,.finding:target{outline:2px solid var(--accent);outline-offset:-2px}
.finding-head{display:flex;flex-wrap:wrap;align-items:center;gap:.3rem .65rem}
.severity{padding:.05rem .5rem;border-radius:5px;background:var(--tone-soft);color:var(--tone);font-size:.75rem;font-weight:700;letter-spacing:.04em;text-transform:uppercase}
h5{font-size:1rem;overflow-wrap:anywhere}
.classification{color:var(--muted);font-size:.92rem}
.end{margin-left:auto;display:flex;flex-wrap:wrap;gap:.2rem .75rem;align-items:baseline;font-size:.9rem}
.place{overflow-wrap:anywhere}
.id{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.8rem;color:var(--muted);text-decoration:none}
.id:hover{text-decoration:underline}
.author{display:flex;align-items:center;gap:.5rem;margin-top:.45rem;font-size:.92rem;color:var(--muted);overflow-wrap:anywhere}
.author strong{color:var(--text)}
.avatar{flex:none;display:inline-grid;place-items:center;width:1.4rem;height:1.4rem;border-radius:50%;background:var(--sunken);border:1px solid var(--line);color:var(--muted);font-size:.7rem;font-weight:700}
.past{margin-top:.2rem;padding-left:1.9rem;font-size:.92rem;color:var(--muted);overflow-wrap:anywhere}
.sides{display:grid;gap:.6rem;margin-top:.65rem}
.sides-2{grid-template-columns:repeat(2,minmax(0,1fr))}
.sides-3{grid-template-columns:repeat(3,minmax(0,1fr))}
.side{--back:var(--sunken);--mark:var(--line);border:1px solid var(--line);border-radius:7px;overflow:hidden;background:var(--back)}
.side.before{--back:var(--before);--mark:var(--before-mark)}
.side.after{--back:var(--after);--mark:var(--after-mark)}
.side.third{--back:var(--third);--mark:var(--third-mark)}
.side-name{padding:.2rem .7rem;font-size:.75rem;font-weight:600;color:var(--muted);background:var(--surface);border-bottom:1px solid var(--line)}
.value{padding:.45rem .7rem;white-space:pre-wrap;overflow-wrap:anywhere;max-height:18rem;overflow:auto}
.value em{color:var(--muted)}
mark{background:var(--mark);color:inherit;border-radius:3px;box-shadow:0 0 0 1px var(--mark)}
.lines{padding:.35rem 0;overflow-x:auto;max-height:26rem}
.split .side{background:var(--surface)}
.line{display:block;min-width:max-content;padding:0 .7rem;white-space:pre}
.line.removed,.line.added{background:var(--back)}
.line.skipped{color:var(--muted);background:var(--sunken)}
.line.blank{background:var(--sunken)}
.advice{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:.3rem .6rem;margin-top:.65rem;font-size:.88rem}
.advice div{display:flex;align-items:baseline;gap:.5rem;min-width:0}
.advice dt{color:var(--muted);flex:none}
.advice dd{display:flex;align-items:baseline;gap:.5rem;min-width:0;overflow-wrap:anywhere}
.copy{height:auto;padding:0 .45rem;font-size:.78rem;flex:none}
footer{padding-top:1.5rem;padding-bottom:2.5rem;color:var(--muted);font-size:.85rem}
kbd{padding:0 .3rem;border:1px solid var(--line);border-radius:4px;background:var(--surface)}
@media (max-width:760px){.inner,main,footer{padding-left:.85rem;padding-right:.85rem}.tiles{grid-template-columns:repeat(3,1fr)}.filters{position:static}.field,.field select{width:100%;max-width:none}.field{flex:1 1 8rem}.sides-2,.sides-3,.advice{grid-template-columns:minmax(0,1fr)}.end{margin-left:0;width:100%}.logical{margin-left:0}.finding{padding-left:.8rem;padding-right:.8rem}}
@media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}button,.chip span{transition:background-color .12s,border-color .12s}}
@media (forced-colors:active){mark{forced-color-adjust:none;background:Highlight;color:HighlightText}}
@media print{.filters,.skip,.copy,.keys{display:none!important}body{background:#fff}.record{break-inside:avoid;content-visibility:visible}.value,.lines{max-height:none}}
`;
