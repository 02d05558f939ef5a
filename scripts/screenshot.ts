// Writes the picture of the console in README from a running service: node scripts/screenshot.ts [address]
import { chromium } from "playwright-core";

const [, , address = "http://127.0.0.1:8080"] = process.argv;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
const page = await browser.newPage({ viewport: { width: 1200, height: 900 }, colorScheme: "light" });
await page.goto(address, { waitUntil: "networkidle" });
await page.screenshot({ path: "docs/img/map.png" });
await browser.close();
