"""What the small site serves. OTHER is the address that may not be reached: the pages say when they
have tried, and the site knows whether they got there."""

from __future__ import annotations

PAGES = {
    "": """<!doctype html><title>Start</title><h1>Start</h1>
<label>Name <input id=name></label>
<button onclick="out.textContent='Hello '+document.querySelector('#name').value">Greet</button>
<label>Colour <select><option>Red<option>Green</select></label>
<button disabled>Locked</button>
<button onclick="out.textContent=confirm('Really?')?'yes':'no'">Ask</button>
<button onclick="alert('Mind the gap'); out.textContent='minded'">Warn</button>
<a href="second">Second page</a> <a href="second" target=_blank>In a new tab</a>
<a href="download/x">Report</a> <a href="download/x?as=..%2F..%2F.profile">Odd report</a>
<button onmouseover="out.textContent='hovered'">Hover me</button>
<form action=upload method=post enctype=multipart/form-data>
<input type=file name=file aria-label=File>
<button>Send</button></form>
<div id=grip style="width:40px;height:20px" onmousedown="window.held=1">Grip</div>
<div style="width:90px;height:30px" onmouseup="if(window.held)out.textContent='dropped'">Bin</div>
<p id=out></p>""",
    "second": """<!doctype html><title>Second</title><h1>Second</h1>
<div style="position:fixed;inset:0;background:#fff8" id=veil></div><button>Under</button>""",
    "late": """<!doctype html><title>Late</title><button onclick="fetch('slow').then(r => r.text())
.then(t => out.textContent = t)">Load</button><p id=out></p>""",
    "busy": "<!doctype html><title>Busy</title><button onclick='while(true);'>Spin</button>",
    "long": "<!doctype html><title>Long</title>"
    + "".join(f"<p>Paragraph {n} says what it says.</p>" for n in range(600)),
    "moving": """<!doctype html><title>Moving</title><style>
@keyframes turn {from {margin-left: 0} to {margin-left: 300px}}
button {animation: turn 1s infinite alternate}</style>
<button onclick="out.textContent='caught'">Catch</button><p id=out></p>""",
    "frames": "<!doctype html><title>Frames</title><iframe src='http://OTHER/frame'></iframe>"
    "<img src='http://OTHER/picture'><object data='http://OTHER/object'></object>"
    "<link rel=prefetch href='http://OTHER/prefetch'><link rel=preconnect href='http://OTHER'>",
    "scripts": """<!doctype html><title>Scripts</title><p id=out>waiting</p><script>
const done = [];
const tell = word => { done.push(word); if (done.length === 4) out.textContent = done.sort(); };
fetch('http://OTHER/fetch', {mode: 'no-cors'}).finally(() => tell('fetch'));
const socket = new WebSocket('ws://OTHER/socket');
socket.onopen = () => tell('opened'); socket.onerror = () => tell('socket');
const stream = new EventSource('http://OTHER/stream');
stream.onopen = () => tell('streamed'); stream.onerror = () => { stream.close(); tell('stream'); };
navigator.sendBeacon('http://OTHER/beacon');
const worker = new Worker('worker.js'); worker.onmessage = event => tell(event.data);
const peer = new RTCPeerConnection({iceServers: [{urls: 'stun:OTHER'}]});
peer.createDataChannel('x'); peer.createOffer().then(offer => peer.setLocalDescription(offer));
</script>""",
    "service": """<!doctype html><title>Service</title><p id=out>waiting</p><script>
navigator.serviceWorker.register('service.js').then(() => navigator.serviceWorker.ready)
.then(() => navigator.serviceWorker.onmessage = event => { out.textContent = event.data; })
.then(() => navigator.serviceWorker.ready.then(found => found.active.postMessage('go')));
</script>""",
    "hungry": """<!doctype html><title>Hungry</title><button onclick="window.kept = [];
setInterval(() => { for (let n = 0; n < 4; n++) { const piece = new Uint8Array(16 << 20);
for (let at = 0; at < piece.length; at += 4096) piece[at] = 1; kept.push(piece); } }, 20)">Eat
</button>""",
    "log": "<!doctype html><title>Log</title><script>console.log('loaded');"
    "setTimeout(() => { throw new Error('broken') })</script>",
    "leave": "<!doctype html><title>Leave</title><a href='file:///etc/passwd'>File</a>"
    "<a href='chrome://version'>Chrome</a><button onclick=\"window.open('file:///etc/passwd')\">"
    "Open</button>",
}
SCRIPTS = {
    "worker.js": "fetch('http://OTHER/worker', {mode: 'no-cors'})"
    ".finally(() => postMessage('worker'));",
    "service.js": "self.addEventListener('message', event => fetch('http://OTHER/service', "
    "{mode: 'no-cors'}).finally(() => event.source.postMessage('asked')));",
}
