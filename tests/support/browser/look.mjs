// Opens a page in headless Chromium and says, as JSON, what it asked the network for and what axe-core has against it.
//   npm install puppeteer-core axe-core @sparticuz/chromium     (a Chromium of your own: CHROMIUM=/usr/bin/chromium)
//   node look.mjs FOLDER-OF-NODE_MODULES PAGE.html light|dark|print WIDTH [SCREENSHOT.png]
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [folder, page, scheme, width, picture] = process.argv.slice(2);
const { resolve } = createRequire(`${folder}/package.json`);
const load = async (name) => (await import(pathToFileURL(resolve(name)).href)).default;
const puppeteer = await load('puppeteer-core');
const executablePath = process.env.CHROMIUM ?? await (await load('@sparticuz/chromium')).executablePath();

const args = ['--no-sandbox', '--disable-gpu', '--no-zygote', '--single-process', '--disable-dev-shm-usage'];
const browser = await puppeteer.launch({ executablePath, headless: 'shell', args });
const tab = await browser.newPage();
const requests = [], troubles = [];
tab.on('request', (one) => requests.push(one.url()));
tab.on('pageerror', (one) => troubles.push(one.message));
await tab.setViewport({ width: Number(width), height: 900 });
if (scheme === 'print') await tab.emulateMediaType('print');
else await tab.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
await tab.goto(pathToFileURL(page).href);
if (picture) await tab.screenshot({ path: picture, fullPage: true });

await tab.evaluate(readFileSync(resolve('axe-core'), 'utf8'));
const found = await tab.evaluate(async () => {
  document.querySelectorAll('details').forEach((one) => { one.open = true; });
  const { passes, violations, incomplete } = await axe.run();
  const told = (all) => all.map((one) => `${one.id}: ${one.help} ${one.nodes.map((node) => node.html.slice(0, 120)).join(' | ')}`);
  const wide = document.documentElement.scrollWidth > innerWidth;
  return { passes: passes.length, violations: told(violations), incomplete: told(incomplete), wide };
});
console.log(JSON.stringify({ requests, troubles, ...found }));
await browser.close();
