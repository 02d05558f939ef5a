import fc from "fast-check";
import { expect, test } from "vitest";
import { officialLink } from "../../../../../src/domains/economic/tenders/notices/notice-fields.ts";

const hosts = ["sam.gov", ".worldbank.org"];

test.each([
  ["https://sam.gov/opp/1/view", "https://sam.gov/opp/1/view"],
  ["https://SAM.gov/opp/1?a=b#c", "https://sam.gov/opp/1?a=b#c"],
  ["https://sam.gov:443/opp", "https://sam.gov/opp"],
  [" https://sam.gov ", "https://sam.gov/"],
  ["https://worldbank.org/a", "https://worldbank.org/a"],
  ["https://projects.worldbank.org/a", "https://projects.worldbank.org/a"],
  ["https://a.b.worldbank.org/", "https://a.b.worldbank.org/"],
  ["https://sam.gov\\@evil.example/", "https://sam.gov/@evil.example/"],
])("%s is official, as %s", (url, link) => {
  expect(officialLink(url, hosts)).toBe(link);
});

test.each([
  undefined,
  "",
  "sam.gov/opp/1",
  "//sam.gov/opp/1",
  "http://sam.gov/opp/1",
  "ftp://sam.gov/",
  "javascript:location='https://sam.gov/'",
  "javascript://sam.gov/%0aalert(1)",
  "data:text/html,https://sam.gov/",
  "https:sam.gov.evil.example",
  "https://user@sam.gov/",
  "https://user:secret@sam.gov/",
  "https://:secret@sam.gov/",
  "https://sam.gov@evil.example/",
  "https://sam.gov%2eevil.example/",
  "https://sam.gov:8443/",
  "https://sam.gov:80/",
  "https://www.sam.gov/",
  "https://sam.gov./",
  "https://sam.gov.evil.example/",
  "https://notsam.gov/",
  "https://evil.example/sam.gov",
  "https://evil.example?https://sam.gov/",
  "https://evil.example#@sam.gov",
  "https://evilworldbank.org/",
  "https://worldbank.org.evil.example/",
  "https://.worldbank.org.evil.example/",
  "https://worldbank.org./",
  "https://xn--wrldbank-jbb.org/",
  "https://ѕam.gov/",
  "https://127.0.0.1/",
  "https://[::1]/",
  "https://",
])("%s is not", (url) => {
  expect(officialLink(url, hosts)).toBeUndefined();
});

test("every returned link leads a browser to an allowed host, over TLS, without credentials, whatever the text", () => {
  const piece = fc.constantFrom(
    ...["https:", "http:", "/", "//", "\\", "@", ":", ".", "sam.gov", "worldbank.org", "evil.example", "?", "#", "%2e"],
    ...["\t", "\n", " ", "user", "443", "8443", "﹒", "。", "www.", "-", "[", "]"],
  );
  const url = fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(
      fc.oneof(
        url,
        url.map((rest) => `https://${rest}`),
        fc.webUrl(),
      ),
      (text) => {
        const link = officialLink(text, hosts);
        if (link === undefined) return;
        const { protocol, host, username, password, href } = new URL(link);
        expect([protocol, username, password, href]).toEqual(["https:", "", "", link]);
        expect(host).toMatch(/^(sam\.gov|([^.]*\.)*worldbank\.org)$/);
        expect(new URL(text).host).toBe(host);
      },
    ),
    { numRuns: 5_000 },
  );
});
