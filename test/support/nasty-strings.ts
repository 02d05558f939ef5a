const sql = [
  "' OR '1'='1",
  "'; DROP TABLE dataset; --",
  '" OR ""="',
  "1; SELECT pg_sleep(10)--",
  "') UNION SELECT body FROM snapshot--",
  "admin'/*",
  "%' AND 1=0 UNION ALL SELECT NULL,NULL--",
  "\\'; COPY source TO '/tmp/x'; --",
  "$$; select 1; $$",
  "AAPL' AND ascii(substr((select version()),1,1))>0--",
];
const paths = [
  "../../../../etc/passwd",
  "..\\..\\windows\\win.ini",
  "....//....//etc/shadow",
  "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
  "..%252f..%252fetc",
  "/proc/self/environ",
  "file:///etc/passwd",
  "C:\\boot.ini",
  "AAPL/../../MSFT",
  "AAPL%00.json",
];
const addresses = [
  "http://169.254.169.254/latest/meta-data/",
  "https://user:pass@evil.example/",
  "//evil.example/x",
  "javascript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "gopher://127.0.0.1:5432/_",
  "http://[::1]:8080/",
  "http://0x7f000001/",
  "?symbol=MSFT&token=x",
  "AAPL&symbol=MSFT#",
  "AAPL?x=1",
  "@evil.example",
];
const headers = [
  "x\r\nSet-Cookie: a=b",
  "x\nX-Injected: 1",
  "x\rLocation: https://evil.example",
  "x%0d%0aX-Injected: 1",
  "x\u0085X: 1",
  "x\u2028X: 1",
  "\r\n\r\n<html>",
  "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
];
const markup = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<!--#exec cmd='id'-->",
  "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>&e;",
  "{{7*7}}",
  ["$", "{7*7}"].join(""),
  "#{7*7}",
  "<%= 7*7 %>",
  "]]>",
  "&lt;b&gt;",
];
const programs = [
  "; id",
  "| cat /etc/passwd",
  "`id`",
  "$(id)",
  "&& ping evil.example",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "__proto__[x]=1",
  "valueOf",
];
const formats = [
  "%s%s%s%n",
  "%x%x%x%x",
  "%",
  "%%",
  "%zz",
  "%u0041",
  "\\u0041",
  "\\",
  "\\\\",
  '"',
  "'",
  "`",
  "*",
  "?",
  ".",
  "..",
  "^.*$",
  "(a+)+$",
  "[",
  "(",
  "{",
  "null",
  "undefined",
  "NaN",
  "true",
  "-1",
  "0",
  "1e309",
  "[]",
  "{}",
];
const unicode = [
  "\u202Etxet",
  "\u200B",
  "\uFEFF",
  "\u00AD",
  "ﬀ",
  "ß",
  "İ",
  "ı",
  "ſ",
  "Ａａｐｌ",
  "ААРL",
  "a\u0300\u0301\u0302\u0303",
  "👩‍👩‍👧‍👦",
  "🇺🇳",
  "𝕬𝕬𝕻𝕷",
  "\uFFFD",
  "\uFFFF",
  "ﷺ",
  "أبل",
  "苹果",
  "アップル",
  "אפל",
  "\u0000",
  "A\u0000B",
];
const long = [1_000, 5_000, 9_000].flatMap((length) =>
  ["A", "../", "%", "'"].map((unit) => unit.repeat(length / unit.length)),
);

/** These are valid once surrounding blanks are trimmed, so they are not nasty. */
const good = ["AAPL", "Apple Inc.", "cyber"];

/** Each string as it is, and within a string that looks valid. Control characters are added. */
const controls = Array.from({ length: 32 }, (_, code) => `A${String.fromCharCode(code)}L`);
const short = [...sql, ...paths, ...addresses, ...headers, ...markup, ...programs, ...formats, ...unicode];

/** Texts that have broken programs: injections, paths, headers, control characters, letters of all kinds, lengths. */
export const nastyStrings: readonly string[] = [
  ...new Set([
    ...short,
    ...controls,
    ...long,
    ...short.map((text) => `AAPL${text}`),
    ...short.map((text) => `${text}Apple Inc.`),
    ...short.map((text) => `cyber ${text}`),
    ...short.map((text) => encodeURIComponent(text)),
  ]),
]
  .filter((text) => !good.includes(text.trim()))
  .slice(0, 500);
