import { spawn } from 'node:child_process'
import { readFileSync, readdirSync, rmSync } from 'node:fs'
const mode = process.argv[2] ?? 'fanout'
rmSync('/work/prof', {recursive:true, force:true})
const ms = spawn(process.execPath, ['test/support/model-server.ts','--port','4600','--json'])
await new Promise(r=>ms.stdout.once('data', r))
const sv = spawn(process.execPath, ['--cpu-prof','--cpu-prof-dir=/work/prof','src/cli/strata.ts','serve'], {env:{PATH:process.env.PATH,DATA_DIR:'/work/prof/data',PORT:'4601',OPENAI_BASE_URL:'http://127.0.0.1:4600/v1',OPENAI_API_KEY:'x',STRATA_MODEL:'openai/x',LANE_MAIN:'64',LANE_SUBAGENT:'64',LANE_BACKGROUND:'64',MAX_LIVE_CHILDREN:'64'}})
let out=''; sv.stdout.on('data',d=>out+=d); sv.stderr.pipe(process.stderr)
await new Promise(r=>setTimeout(r,1500))
const key=/strata_\w+/.exec(out)[0]
const run=async(input)=>{const r=await fetch('http://127.0.0.1:4601/v1/runs',{method:'POST',headers:{authorization:'Bearer '+key,'content-type':'application/json',prefer:'wait=60'},body:JSON.stringify({input})});const b=await r.json(); if(b.status!=='completed') console.log(b)}
const script = mode==='plain'||mode==='conc' ? '@say done' : '@spawn 50 {"task":"@say part {i}"}\n@await\n@say all {results}'
for (let i=0;i<5;i++) await run(script)
const t=performance.now()
if (mode==='plain') for(let i=0;i<300;i++) await run(script)
else if (mode==='conc') for(let i=0;i<8;i++) await Promise.all(Array.from({length:100},()=>run(script)))
else for(let i=0;i<20;i++) await run(script)
console.log(mode, 'total', Math.round(performance.now()-t))
sv.kill('SIGTERM'); await new Promise(r=>sv.once('exit',r)); ms.kill()
const f=readdirSync('/work/prof').find(x=>x.endsWith('.cpuprofile'))
const p=JSON.parse(readFileSync('/work/prof/'+f))
const self=new Map(), byUrl=new Map(); const dt=p.timeDeltas; const nodes=new Map(p.nodes.map(n=>[n.id,n]))
p.samples.forEach((id,i)=>{const n=nodes.get(id); const c=n.callFrame; const k=`${c.functionName||'(anon)'} ${c.url.split('/').slice(-3).join('/')}:${c.lineNumber+1}`; self.set(k,(self.get(k)??0)+dt[i]); const u=c.url.includes('node_modules')?c.url.split('node_modules/')[1].split('/').slice(0,2).join('/'):c.url.includes('/src/')?'src/'+c.url.split('/src/')[1]:c.url.startsWith('node:')?c.url:c.functionName; byUrl.set(u,(byUrl.get(u)??0)+dt[i])})
const top=(m,n)=>[...m].sort((a,b)=>b[1]-a[1]).slice(0,n).forEach(([k,v])=>console.log((v/1000).toFixed(0).padStart(7)+' ms',k))
console.log('--- by file'); top(byUrl,32); console.log('--- self'); top(self,45)
