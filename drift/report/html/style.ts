// How the page looks: light and dark, wide and narrow, on paper.
// It must not know what a review says.

/** The style sheet. Colours are named once for light and once for dark; a test computes their contrast. */
export const STYLE = `:root{color-scheme:light dark;--page:#f5f6f8;--surface:#fff;--sunken:#f0f2f5;--text:#1c2128;--muted:#57606a;--line:#d5dae0;--accent:#0b5cad;--high:#b3122b;--high-soft:#fdebed;--medium:#8a4b00;--medium-soft:#fff3dc;--low:#1a5fa8;--low-soft:#e7f1fc;--good:#176635;--good-soft:#e3f5e9;--before:#f0f2f5;--before-mark:#ccd3db;--drifted:#fff3dc;--drifted-mark:#ffd48a;--coming:#e7f1fc;--coming-mark:#b3d6fb;--third:#f4effd;--third-mark:#dac9f8;--shadow:0 1px 2px rgb(20 30 40 / .06)}
@media (prefers-color-scheme:dark){:root{--page:#0e1116;--surface:#171b22;--sunken:#1e242d;--text:#e4e8ee;--muted:#9aa5b3;--line:#303844;--accent:#79b8ff;--high:#ff8b94;--high-soft:#3b1a20;--medium:#f2b866;--medium-soft:#38280f;--low:#8cc1ff;--low-soft:#14293f;--good:#6fd18f;--good-soft:#12301d;--before:#1e242d;--before-mark:#434e5c;--drifted:#2e2512;--drifted-mark:#6d4c0f;--coming:#14273b;--coming-mark:#1f4f80;--third:#261d3a;--third-mark:#4e387c;--shadow:none}}
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
.other{--tone:var(--muted);--tone-soft:var(--sunken)}
.findings-head{display:flex;justify-content:space-between;align-items:center;gap:1rem}
.views .chip{--tone:var(--accent);--tone-soft:var(--low-soft)}
.views .chip span{height:1.9rem;text-decoration:none}
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
.selection{position:sticky;bottom:.75rem;z-index:3;display:flex;flex-wrap:wrap;align-items:center;gap:.5rem .6rem;padding:.65rem 1rem;background:var(--surface);border:2px solid var(--accent);border-radius:10px;box-shadow:0 6px 24px rgb(20 30 40 / .22)}
.selection strong{margin-right:.4rem;font-variant-numeric:tabular-nums}
.selection .all{margin-left:auto}
.made{flex-basis:100%;overflow-wrap:anywhere}
.made:empty{display:none}
.pick{display:inline-flex;align-items:center;justify-content:center;width:1.5rem;height:1.5rem;cursor:pointer}
.pick input{width:1.05rem;height:1.05rem;margin:0;accent-color:var(--accent);cursor:pointer}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
#table{margin-top:.75rem;overflow-x:auto;background:var(--surface);border:1px solid var(--line);border-radius:10px;box-shadow:var(--shadow)}
table{width:100%;border-collapse:collapse;font-size:.88rem}
th{padding:.5rem .6rem;text-align:left;font-size:.78rem;font-weight:600;color:var(--muted);background:var(--sunken);border-bottom:1px solid var(--line)}
td{padding:.4rem .6rem;vertical-align:top;border-top:1px solid var(--line);overflow-wrap:anywhere}
td:first-child,th:first-child{width:2.4rem;padding-right:0}
td .kind{font-size:.72rem}
td .classification{font-size:.82rem}
.row:hover{background:var(--sunken)}
.arrow{color:var(--muted)}
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
.severity{white-space:nowrap;padding:.05rem .5rem;border-radius:5px;background:var(--tone-soft);color:var(--tone);font-size:.75rem;font-weight:700;letter-spacing:.04em;text-transform:uppercase}
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
.before{--back:var(--before);--mark:var(--before-mark)}
.drifted{--back:var(--drifted);--mark:var(--drifted-mark)}
.coming{--back:var(--coming);--mark:var(--coming-mark)}
.third{--back:var(--third);--mark:var(--third-mark)}
.side,.split{border:1px solid var(--line);border-radius:7px;overflow:hidden}
.side{background:var(--back,var(--sunken))}
.side-name{padding:.2rem .7rem;font-size:.75rem;font-weight:600;color:var(--muted);background:var(--surface);border-bottom:1px solid var(--line)}
.value{padding:.45rem .7rem;white-space:pre-wrap;overflow-wrap:anywhere;max-height:18rem;overflow:auto;background:linear-gradient(var(--back,var(--sunken)) 40%,transparent) local,linear-gradient(transparent,var(--back,var(--sunken)) 60%) bottom local,radial-gradient(farthest-side at 50% 0,rgb(0 0 0 / .3),transparent) scroll,radial-gradient(farthest-side at 50% 100%,rgb(0 0 0 / .3),transparent) bottom scroll;background-repeat:no-repeat;background-size:100% 2.5rem,100% 2.5rem,100% .7rem,100% .7rem}
.value em{color:var(--muted)}
mark{background:var(--mark);color:inherit;border-radius:3px;box-shadow:0 0 0 1px var(--mark)}
.split{margin-top:.65rem;background:var(--surface)}
.side-names,.lines{display:grid;grid-template-columns:repeat(2,minmax(0,1fr))}
.lines{padding:.35rem 0}
.line{display:block;padding:0 .7rem 0 1.9rem;text-indent:-1.2rem;white-space:pre-wrap;overflow-wrap:anywhere}
.right{border-left:1px solid var(--line)}
.line.removed{--mark:var(--before-mark);background:var(--before)}
.line.added{background:var(--back)}
.line.skipped{color:var(--muted);background:var(--sunken)}
.line.blank{background:var(--sunken)}
.advice{margin-top:.6rem;font-size:.88rem}
summary{width:max-content;max-width:100%;padding:.1rem .3rem;margin-left:-.3rem;border-radius:5px;color:var(--muted);cursor:pointer}
.split summary{margin:0;padding:.3rem .7rem}
summary:hover{color:var(--text)}
.advice dl{display:grid;gap:.3rem;margin-top:.3rem}
.advice dl div{display:flex;gap:.6rem;min-width:0}
.advice dt{flex:none;width:3.6rem;color:var(--muted)}
.advice dd,.words{min-width:0;overflow-wrap:anywhere}
.words{display:block}
.command{display:inline-flex;align-items:baseline;gap:.5rem;max-width:100%}
.command code{min-width:0;overflow-wrap:anywhere}
.copy{height:auto;padding:0 .45rem;font-size:.78rem;flex:none}
button:disabled{opacity:.5;cursor:default}
footer{padding-top:1.5rem;padding-bottom:2.5rem;color:var(--muted);font-size:.85rem}
kbd{padding:0 .3rem;border:1px solid var(--line);border-radius:4px;background:var(--surface)}
@media (max-width:760px){.inner,main,footer{padding-left:.85rem;padding-right:.85rem}.outcome,.panel{padding:.9rem 1rem}.tiles{grid-template-columns:repeat(3,1fr)}.filters{position:static}.field,.field select{width:100%;max-width:none}.field{flex:1 1 8rem}.sides-2,.sides-3,.side-names,.lines{grid-template-columns:minmax(0,1fr)}.right{border-left:0}.side-names{display:flex}.side-names p{flex:1}.side-names p:first-child::before{content:'- '}.side-names p+p::before{content:'+ '}.line.blank,.line.right.same,.line.right.skipped{display:none}.end{margin-left:0;width:100%}.logical{margin-left:0}.finding{padding-left:.8rem;padding-right:.8rem}.pick{width:2rem;height:2rem;margin-left:-.4rem}.selection .all{margin-left:0}table,tbody{display:block}thead{display:none}.row{display:grid;grid-template-columns:2.2rem 1fr;gap:.1rem .4rem;padding:.6rem .8rem;border-top:1px solid var(--line)}.row td{grid-column:2;padding:0;border:0}.row td:first-child{grid-column:1;grid-row:1;width:auto}}
@media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}button,.chip span{transition:background-color .12s,border-color .12s}}
@media (forced-colors:active){mark{forced-color-adjust:none;background:Highlight;color:HighlightText}}
@media print{.filters,.skip,.copy,.keys,.selection,.pick{display:none!important}body{background:#fff}.record{break-inside:avoid;content-visibility:visible}.value,.lines{max-height:none}}
`;
