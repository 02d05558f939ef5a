// Writes the icons and the preview image of the pages from favicon.svg: node scripts/write-icons.ts
import { readFileSync, writeFileSync } from "node:fs";
import { chromium } from "playwright-core";
import { serviceName } from "../src/pages/frame/frame.ts";

const folder = "src/pages/frame/icons";
const icon = readFileSync(`${folder}/favicon.svg`, "utf8");
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});

const square = await picture(180, 180, "svg { width: 180px; height: 180px }", icon.replace('rx="7"', 'rx="0"'));
writeFileSync(`${folder}/apple-touch-icon.png`, square);
writeFileSync(`${folder}/favicon.ico`, iconFile(await picture(32, 32, "svg { width: 32px; height: 32px }", icon), 32));
const style = `body { display: grid; align-content: center; gap: 28px; height: 630px; padding: 0 90px; background: #0e141a; color: #e6ebf0; font-family: "Liberation Sans", sans-serif }
svg { width: 120px; height: 120px } h1 { margin: 0; font-size: 64px } p { margin: 0; font-size: 30px; color: #a2aeba }`;
const text = `<h1>${serviceName}</h1><p>World events, risk and trade from public sources</p>`;
writeFileSync(`${folder}/preview.png`, await picture(1200, 630, style, icon + text));
await browser.close();

async function picture(width: number, height: number, css: string, body: string): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width, height } });
  await page.setContent(`<style>* { box-sizing: border-box } body { margin: 0 } ${css}</style><body>${body}`);
  return page.screenshot({ omitBackground: true });
}

/** Returns an ICO file with one PNG image. */
function iconFile(png: Buffer, size: number): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.set([size, size, 0, 0], 6);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}
