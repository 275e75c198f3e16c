// Checks a built site: node check.mjs <folder> <chromium>. One line for each check; the exit status is 1 if one fails.
// Links are read from the files; everything else is asked of Chromium.
import fs from "node:fs";
import path from "node:path";

import { Browser, pause, serve } from "../support/chromium.mjs";

const [root, chromium] = [path.resolve(process.argv[2]), process.argv[3]];
let failed = 0;
function say(name, mistakes, seen = "") {
  const all = [].concat(mistakes).filter(Boolean);
  if (all.length) failed++;
  console.log(`${all.length ? "FAIL" : "ok  "} ${name}${seen ? ": " + seen : ""}`);
  for (const line of all.slice(0, 10)) console.log(`       ${line}`);
  if (all.length > 10) console.log(`       and ${all.length - 10} others`);
}

// ---- files

function files(folder) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const full = path.join(folder, entry.name);
    return entry.isDirectory() ? files(full) : [full];
  });
}
const unescape = (s) => s.replace(/&amp;/g, "&").replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&quot;/g, '"').replace(/&#39;/g, "'");
function parsed(file) {
  const text = fs.readFileSync(file, "utf8").replace(/<script[\s\S]*?<\/script>/g, (s) => s.slice(0, s.indexOf(">") + 1));
  const tags = text.match(/<[a-zA-Z][^>]*>/g) || [];
  const ids = new Set(), links = [], loads = [];
  for (const tag of tags) {
    const value = (name) => { const m = tag.match(new RegExp(`\\s${name}="([^"]*)"`)); return m ? unescape(m[1]) : null; };
    const id = value("id"), kind = tag.match(/^<([a-zA-Z]+)/)[1].toLowerCase();
    if (id !== null) ids.add(id);
    if (kind === "a" && value("name") !== null) ids.add(value("name"));
    if (kind === "a" && value("href") !== null) links.push(value("href"));
    if (kind === "link" && value("rel") !== "canonical" && value("href") !== null) loads.push(value("href"));
    if (["img", "script", "iframe", "source", "object", "embed"].includes(kind) && value("src") !== null) loads.push(value("src"));
  }
  return { ids, links, loads, text };
}
function checkFiles() {
  const pages = new Map(files(root).filter((f) => f.endsWith(".html")).map((f) => [f, parsed(f)]));
  const broken = [], foreign = [];
  let links = 0, outward = 0;
  for (const [file, page] of pages) {
    const name = path.relative(root, file);
    if (name === "404.html") continue; // its addresses begin at the root of whoever hosts it
    for (const link of [...page.links, ...page.loads]) {
      if (/^(data|mailto|javascript):/.test(link)) continue;
      if (/^([a-z]+:)?\/\//.test(link)) {
        outward++;
        if (page.loads.includes(link)) foreign.push(`${name}: ${link}`);
        continue;
      }
      links++;
      const [place, anchor] = link.split("#");
      let target = place === "" ? file : path.resolve(path.dirname(file), decodeURIComponent(place.split("?")[0]));
      if (fs.existsSync(target) && fs.statSync(target).isDirectory()) target = path.join(target, "index.html");
      if (!fs.existsSync(target)) broken.push(`${name}: ${link}: no file`);
      else if (!target.startsWith(root)) broken.push(`${name}: ${link}: outside the site`);
      else if (anchor && pages.has(target) && anchor !== "__skip" && !pages.get(target).ids.has(decodeURIComponent(anchor)))
        broken.push(`${name}: ${link}: no such anchor`);
    }
  }
  say("links of all pages lead to a file and an anchor", broken, `${links} links of ${pages.size} pages, ${outward} to other hosts`);
  say("no page loads anything from another host", foreign);
  const leftover = [];
  for (const [file, page] of pages) {
    if (path.relative(root, file).startsWith("source")) continue;
    if (page.text.includes('class="arithmatex"')) leftover.push(`${path.relative(root, file)}: a formula that is no MathML`);
    if (/<p>[^<]*```/.test(page.text)) leftover.push(`${path.relative(root, file)}: a block of code that is a paragraph`);
    const lists = page.text.match(/<p>[^<]*\n[-*] /);
    if (lists) leftover.push(`${path.relative(root, file)}: a list that is a paragraph: ${lists[0].slice(0, 60)}`);
  }
  const names = pages.get(path.join(root, "reference/names/index.html"));
  const cells = names.text.match(/<tr>\s*<td>(<a [^>]*>)?<code>[\w:]+<\/code>/g) || [];
  if (!/<td><code>tenon::nn<\/code><\/td>\s*<td>\d+<\/td>/.test(names.text)) leftover.push("names: the table of namespaces is broken");
  const plain = cells.filter((c) => !c.includes("<a ") && !c.includes("<code>tenon::"));
  say("formulas, blocks, lists and tables are what they should be", leftover);
  say("names link to what explains them", cells.length > 300 ? plain : [`only ${cells.length} names`], `${cells.length - plain.length} of ${cells.length}`);
}

// ---- Chromium

let browser, server, page;
function stop(sentence) {
  console.log(`FAIL ${sentence}`);
  browser?.process.kill("SIGKILL");
  process.exit(1);
}
async function show(width, height, scheme) {
  await page.size(width, height);
  await page.media({ "prefers-color-scheme": scheme });
}
async function go(address) {
  await page.go(address);
  await pause(200); // scripts of the theme
}
const limit = Number(process.env.TENON_SITE_SECONDS || 85); // a machine that is busy with other things needs more
setTimeout(() => stop(`not done after ${limit} s`), 1000 * limit).unref();

// ---- what a page shows (these functions run in the page)

function contrasts() {
  const number = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => { const parts = colour.startsWith("rgb") && colour.match(/[\d.]+/g).map(Number); if (parts) return [parts[0], parts[1], parts[2], parts[3] ?? 1]; number.clearRect(0, 0, 1, 1); number.fillStyle = colour; number.fillRect(0, 0, 1, 1); const [r, g, b, a] = number.getImageData(0, 0, 1, 1).data; return [r, g, b, a / 255]; };
  const over = (top, ground) => [0, 1, 2].map((k) => top[k] * top[3] + ground[k] * (1 - top[3]));
  const light = (c) => { const [r, g, b] = c.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4)); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ground = (element) => {
    const layers = [];
    for (let e = element; e; e = e.parentElement) layers.push(rgba(getComputedStyle(e).backgroundColor));
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
  };
  const worst = new Map(), seen = new Set(); // one element of each kind that stands in the same kinds of others
  const kinds = { text: "article p, article td, article th, article li", heading: "article h1, article h2, article h3", link: "article a:not(.headerlink)", code: "article code, article pre span",
    navigation: ".md-nav__link, .md-tabs__link, .md-header__title, .md-footer__title" };
  for (const [kind, selector] of Object.entries(kinds))
    for (const element of document.querySelectorAll(selector)) {
      let key = kind;
      for (let e = element; e && e !== document.body; e = e.parentElement) key += ` ${e.tagName}.${e.className}`;
      if (seen.has(key) || ![...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || !element.getClientRects().length) continue;
      seen.add(key);
      const style = getComputedStyle(element), below = ground(element);
      let opacity = 1;
      for (let e = element; e; e = e.parentElement) opacity *= Number(getComputedStyle(e).opacity);
      if (opacity < 0.2) continue; // not shown now
      const colour = rgba(style.color);
      const a = light(over([...colour.slice(0, 3), colour[3] * opacity], below)), b = light(below);
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      if (!worst.has(kind) || ratio < worst.get(kind)[0]) worst.set(kind, [ratio, `${element.className || element.tagName} '${element.textContent.trim().slice(0, 20)}'`]);
    }
  return [...worst].map(([kind, [ratio, where]]) => [kind, ratio, where]);
}
function firstView() {
  const box = (e) => { const b = e?.getBoundingClientRect(); return b && { left: b.left, right: b.right, top: b.top, bottom: b.bottom, area: b.width * b.height }; };
  const figure = document.querySelector(".tenon-figure img");
  return {
    network: [/graph<"index_lookup"/.test(document.querySelector(".tenon-network pre")?.textContent), box(document.querySelector(".tenon-network pre"))],
    error: [/error: .*expects 64/.test(document.querySelector(".tenon-error .language-text pre")?.textContent), box(document.querySelector(".tenon-error .language-text pre"))],
    figure: [figure?.complete && figure.naturalWidth > 0, box(figure)],
  };
}
// How far a page is wider than the window, and the elements that make it so.
function sideways() {
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (wide <= 0) return null;
  const scrolls = (e) => { for (let p = e.parentElement; p && p !== document.body; p = p.parentElement) if (["auto", "scroll", "hidden"].includes(getComputedStyle(p).overflowX)) return true; return false; };
  const out = [...document.querySelectorAll("article *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !scrolls(e)).slice(0, 3);
  return `${wide} px too wide: ${out.map((e) => e.tagName + " '" + e.textContent.trim().slice(0, 30) + "'").join(", ")}`;
}

// ---- the checks of a browser

async function checkBrowser() {
  server = await serve(root);
  const home = `${server.address}/`;
  browser = await Browser.start(chromium);
  page = await browser.open();

  // Each page is loaded once, then looked at in both colours and at two widths; a page follows the system when that changes
  const pages = ["", "learn/04-own-cell/", "reference/names/", "explain/how-a-cell-is-compiled/", "explain/errors/", "gallery/"];
  const complaints = [], narrow = [], schemes = { light: { worst: new Map(), wrong: [] }, dark: { worst: new Map(), wrong: [] } };
  let view, formulas;
  for (const name of pages) {
    await show(1280, 800, "light");
    page.errors.length = page.requests.length = 0;
    await go(home + name);
    if (name === "") view = await page.ask(`(${firstView})()`);
    if (name.startsWith("explain/how"))
      formulas = await page.ask(`[...document.querySelectorAll("article math")].map((m) => m.getBoundingClientRect()).filter((b) => b.width > 3 && b.height > 3).length`);
    for (const [scheme, { worst, wrong }] of Object.entries(schemes)) {
      await show(1280, 800, scheme);
      const wanted = scheme === "dark" ? "slate" : "default";
      let is;
      for (let k = 0; k < 25 && is !== wanted; ++k) {
        await pause(200);
        is = await page.ask("document.body.getAttribute('data-md-color-scheme')");
      }
      await pause(400); // colours change gradually
      if (is !== wanted) wrong.push(`/${name} does not follow the system: ${is}`);
      for (const [kind, ratio, where] of await page.ask(`(${contrasts})()`)) {
        if (!worst.has(kind) || ratio < worst.get(kind)) worst.set(kind, ratio);
        if (ratio < 4.5) wrong.push(`/${name}: ${kind} ${where}: ${ratio.toFixed(2)}`);
      }
    }
    await show(375, 800, "light");
    await pause(100);
    const wide = await page.ask(`(${sideways})()`);
    if (wide) narrow.push(`/${name}: ${wide}`);
    complaints.push(...page.errors.map((c) => `/${name}: ${c}`));
    complaints.push(...page.requests.filter((r) => !r.startsWith(home) && !/^(data|blob):/.test(r)).map((r) => `/${name}: asks ${r}`));
  }
  say("the first page shows a network, an error and a figure within 1280 x 800",
    Object.entries(view).map(([what, [right, box]]) =>
      !right || !box ? `no ${what}` : box.left < 0 || box.right > 1280 || box.top < 0 || box.bottom > 800 || box.area < 10000 ? `the ${what} is outside of the view: ${JSON.stringify(box)}` : ""),
    Object.entries(view).map(([what, [, box]]) => (box ? `${what} ends at ${Math.round(box.bottom)}` : "")).join(", "));
  say("no error in the console, no request to another host", complaints, `${pages.length} pages`);
  for (const [scheme, { worst, wrong }] of Object.entries(schemes))
    say(`${scheme} colours follow the system, with a contrast of at least 4.5`, wrong, [...worst].map(([kind, ratio]) => `${kind} ${ratio.toFixed(1)}`).join(", "));
  say("nothing scrolls sideways at 375 px", narrow, `${pages.length} pages`);
  say("formulas are MathML, and drawn", formulas >= 5 ? "" : `only ${formulas}`, `${formulas} on one page`);

  await show(1280, 800, "light");
  const switched = await page.ask(`(async () => {
    const seen = new Set();
    for (let k = 0; k < 3; ++k) {
      [...document.querySelectorAll("form[data-md-component=palette] label")].find((l) => !l.hidden).click();
      await new Promise((done) => setTimeout(done, 150));
      seen.add(document.body.getAttribute("data-md-color-scheme"));
    }
    return [...seen].sort().join(" ");
  })()`);
  say("a switch changes the colours", switched === "default slate" ? "" : "not both are seen", `seen ${switched}`);
  await page.ask("localStorage.clear()");

  await show(1280, 800, "light");
  await go(home + "learn/02-training/");
  const steps = await page.ask(`[...document.querySelectorAll(".md-footer__link")].map((a) => a.getAttribute("href"))`);
  say("previous and next", /01-first-network/.test(steps[0]) && /03-sequences/.test(steps[1]) ? "" : `they are ${steps}`, steps.join(" "));
  const copies = await page.ask(`document.querySelectorAll("article pre").length + " " + document.querySelectorAll(".md-code__button, .md-clipboard").length`);
  say("a button copies code", Number(copies.split(" ")[1]) > 0 ? "" : "there is none", copies.replace(" ", " blocks, ") + " buttons");
  const search = async (word) => page.ask(`(async () => {
    const field = document.querySelector(".md-search__input");
    document.querySelector("#__search").checked = true;
    field.focus();
    field.value = ${JSON.stringify(word)};
    for (const kind of ["keydown", "input", "keyup"]) field.dispatchEvent(new Event(kind, { bubbles: true }));
    for (let k = 0; k < 100; ++k) {
      await new Promise((done) => setTimeout(done, 100));
      const found = [...document.querySelectorAll(".md-search-result__item")].map((i) => [i.querySelector("a").getAttribute("href"), i.textContent, i.querySelectorAll("mark").length]);
      if (found.length && found[0][1].toLowerCase().includes(${JSON.stringify(word.toLowerCase())})) return found;
    }
    return [];
  })()`);
  const found = await search("lstm");
  say("search for lstm", found.length && found[0][2] > 0 ? "" : "finds nothing, or marks nothing", `${found.length} pages, first ${found[0]?.[0].replace(home, "")}`);
  const named = await search("class_weights");
  say("search for a name", named.some(([address]) => /reference\//.test(address)) ? "" : "no page of the reference", `class_weights: ${named.length} pages, first ${named[0]?.[0].replace(home, "")}`);
}

(async () => {
  checkFiles();
  await checkBrowser();
})()
  .catch((error) => { failed++; console.log(`FAIL ${error.stack}`); })
  .finally(async () => {
    await browser?.close();
    server?.close();
    process.exit(failed ? 1 : 0);
  });
