import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../..");

/** A server with made-up runs over a real store; see frontend/dev/run_fixture.py. */
export interface RunFixture {
  url: string;
  stop: () => void;
}

async function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once("error", fail);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => done(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/** Starts it on a free port with the built front end (`npm run build` first). */
export async function startRunFixture(): Promise<RunFixture> {
  const own = path.join(root, ".venv/bin/python");
  const python = process.env["PYTHON"] ?? (existsSync(own) ? own : "python3");
  const dist = process.env["AWORLD_DIST"] ?? path.join(root, "frontend/dist");
  if (!existsSync(path.join(dist, "index.html"))) throw new Error(`No built front end in '${dist}': run 'npm run build' first.`);
  const port = await freePort();
  const script = path.join(root, "frontend/dev/run_fixture.py");
  const child = spawn(python, [script, "--port", String(port), "--dist", dist], { cwd: root, stdio: ["ignore", "ignore", "pipe"] });
  const url = `http://127.0.0.1:${String(port)}`;
  await answers(child, `${url}/api/runs/finished`);
  return { url, stop: () => child.kill() };
}

async function answers(child: ChildProcess, address: string): Promise<void> {
  let errors = "";
  child.stderr?.on("data", (data: Buffer) => (errors += data.toString()));
  for (let tries = 0; tries < 300; tries += 1) {
    if (child.exitCode !== null) throw new Error(`The fixture ended: ${errors.slice(-800)}`);
    const response = await fetch(address).catch(() => null);
    if (response?.ok === true) return;
    await new Promise((done) => setTimeout(done, 200));
  }
  throw new Error(`${address} does not answer: ${errors.slice(-800)}`);
}
