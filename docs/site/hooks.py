"""What MkDocs needs to make a site of pages that are written for a code host.

The pages stay plain Markdown, and their links are relative to the source tree. Here
  * the sections of the site are read from docs/README.md;
  * README.md, CONTRIBUTING.md and the sources that pages link to become pages of the site, so no link leaves it;
  * blocks such as ```cpp main lose their second word, and lists get the blank line that Python's Markdown wants;
  * headings are named as a code host names them;
  * formulas become MathML, which browsers draw by themselves;
  * each name of docs/reference/names.md becomes a link to the row or section that explains it;
  * the first page is put together from blocks of other pages, which the tests compile or compare.
"""

import html
import os
import posixpath
import re
from pathlib import Path

import latex2mathml.converter
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[2]
MOVED = {"docs/site/home.md": "index.md", "docs/README.md": "pages.md", "README.md": "readme.md", "CONTRIBUTING.md": "contributing.md"}
SECTIONS = ("Learn", "Reference", "Explanations", "Measured", "Decisions")
# What a search finds first. A word of a heading counts 1000 times; the headings of tables of times are not what is looked for by "lstm"
BOOSTS = {"docs/reference/": 2, "docs/learn/": 1.5, "docs/how-do-i": 1.5, "docs/decisions/": 0.5, "docs/bench/": 0.002, "": 1}
DRAWN = (".svg", ".png")
LANGUAGES = {".hpp": "cpp", ".cpp": "cpp", ".ipp": "cpp", ".cu": "cpp", ".txt": "cmake", ".ttl": "turtle", ".in": "text",
             ".html": "html", ".css": "css", ".js": "javascript", ".mjs": "javascript"}

sources = {}  # what is no page, but linked by one: path in the source tree -> path in the site
places = {}  # public name -> (page in the source tree, anchor), filled before the first page is written
anchored = {}  # page in the source tree -> {number of a line: names that it explains}


# Paths


def tree_path(uri):
    """Where a page of the site is in the source tree."""
    return {there: here for here, there in MOVED.items()}.get(uri, "docs/" + uri)


def site_path(path):
    """Where a file of the source tree is in the site; None if it is not there."""
    if path in MOVED:
        return MOVED[path]
    if path in sources:
        return sources[path]
    return path[len("docs/") :] if path.startswith("docs/") else None


def pages():
    yield from MOVED
    for file in sorted((ROOT / "docs").rglob("*.md")):
        path = file.relative_to(ROOT).as_posix()
        if path not in MOVED and not path.startswith("docs/site/"):
            yield path


def text_of(path):
    return (ROOT / path).read_text(encoding="utf-8")


# Markdown


def chunks(text):
    """The text in pieces of whole lines: (is it a block of code?, its lines)."""
    lines, is_code = [], False
    for line in text.split("\n"):
        if line.lstrip().startswith("```"):
            if is_code:
                yield True, lines + [line]
                lines = []
            else:
                yield False, lines
                lines = [line]
            is_code = not is_code
        else:
            lines.append(line)
    yield is_code, lines


LINK = re.compile(r"(?P<code>(`+)(?!`).+?(?<!`)\2(?!`))|\]\((?P<target>[^)\s]+)\)", re.DOTALL)


def targets(path):
    """The files that a page links to, as paths of the source tree."""
    for is_code, lines in chunks(text_of(path)):
        for match in [] if is_code else LINK.finditer("\n".join(lines)):
            target = match["target"]
            if target and not target.startswith(("http", "#")):
                yield posixpath.normpath(posixpath.join(posixpath.dirname(path), target.split("#")[0]))


def relinked(text, here, uri):
    """The prose `text` of the page `here` with links that are right at `uri` in the site."""

    def link(match):
        target = match["target"]
        if not target or target.startswith(("http", "#")):
            return match[0]
        file, _, anchor = target.partition("#")
        to = site_path(posixpath.normpath(posixpath.join(posixpath.dirname(here), file)))
        if to is None:
            raise PluginError(f"{here}: the site has no {target}")
        relative = posixpath.relpath(to, posixpath.dirname(uri) or ".")
        return f"]({relative}{'#' + anchor if anchor else ''})"

    return LINK.sub(link, text)


def is_item(line):
    return re.match(r"([-*]|\d+\.) ", line) is not None


def with_lists(lines):
    """A list that follows a paragraph without a blank line gets one."""
    inside = False
    for k, line in enumerate(lines):
        before = lines[k - 1] if k else ""
        if is_item(line):
            if not inside and before.strip():
                yield ""
            inside = True
        elif not before.strip() or not line.strip():
            inside = inside and line.startswith(" ")
        yield line


def opened(line):
    """The first line of a block of code: one word, as Python's Markdown wants it."""
    words = line.strip().lstrip("`").split()
    start = line[: len(line) - len(line.lstrip())] + "```"
    if words[1:] == ["wrong"]:
        return start + "{.cpp .wrong}"
    return start + (words[0] if words else "text")


def slug(heading, separator="-"):
    """As tests/pages/links.cpp, and as code hosts do."""
    plain = html.unescape(re.sub(r"<[^>]+>", "", heading))
    return "".join(c.lower() if c.isalnum() or c in "_-" or ord(c) > 127 else separator if c == " " else "" for c in plain)


def headings(lines):
    """(number of line, anchor, text) of each heading."""
    is_code, seen = False, {}
    for number, line in enumerate(lines):
        if line.lstrip().startswith("```"):
            is_code = not is_code
        elif not is_code and (match := re.match(r"#+ (.*)", line)):
            plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", match[1]).replace("`", "")
            anchor = slug(plain)
            seen[anchor] = seen.get(anchor, -1) + 1
            yield number, anchor if not seen[anchor] else f"{anchor}_{seen[anchor]}", plain


# Names


def name_anchor(name):
    return name.replace("::", ".")


def best_place(name, path):
    """How well a page explains a name, and where: (score, anchor, number of the row or None)."""
    base = name.split("::")[-1]
    rooms = "".join(f"(?:{room}::)?" for room in name.split("::")[:-1])  # a page may leave out the first ones
    own = re.compile("`" + rooms + re.escape(base) + r"(?!\w)")
    parts = name.split("::")
    whole = re.compile("`" + "".join(f"(?:{room}::)?" for room in parts[:-2]) + "::".join(map(re.escape, parts[-2:])) + r"(?!\w)") if len(parts) > 2 else own
    within = re.compile(r"`[^`]*(?<!\w)" + re.escape(base) + r"(?!\w)[^`]*`")
    lines = text_of(path).split("\n")
    titles = {number: (anchor, text) for number, anchor, text in headings(lines)}
    best, anchor, is_code = (0, "", None), "", False
    for number, line in enumerate(lines):
        if line.lstrip().startswith("```"):
            is_code = not is_code
        elif number in titles and not is_code:
            anchor, text = titles[number]
            found = 3 if re.search(r"(?<![\w:])" + re.escape(base) + r"(?!\w)", line) and "`" in line else 0
            found = 3 if text == name else 2.5 if not found and text.lower().replace(" ", "_") == base else found
            best = max(best, (found, anchor, None), key=lambda it: it[0])
        elif is_code:
            if re.search(r"(?<!\w)" + re.escape(base) + r"(?!\w)", line):
                best = max(best, (0.5, anchor, None), key=lambda it: it[0])
        elif line.startswith("|"):
            cells = line.split("|")
            if whole.match(cells[1].strip()):
                best = max(best, (4.5, anchor, number), key=lambda it: it[0])
            elif own.match(cells[1].strip()):
                best = max(best, (4, anchor, number), key=lambda it: it[0])
            elif own.search(cells[1]):
                best = max(best, (3.5, anchor, number), key=lambda it: it[0])
            elif own.search(line):
                best = max(best, (1, anchor, None), key=lambda it: it[0])
        elif own.match(line):
            best = max(best, (3.2, anchor, None), key=lambda it: it[0])
        elif own.search(line):
            best = max(best, (2, anchor, None), key=lambda it: it[0])
        if not is_code and within.search(line):  # an argument of what is explained there
            best = max(best, (0.7, anchor, None), key=lambda it: it[0])
    return best


def find_names():
    """Where each public name is explained: on the page that its table links to, or else anywhere in the reference."""
    page = None
    others = [p for p in pages() if p.startswith("docs/reference/") and not p.endswith(("names.md", "glossary.md", "catalogue.md"))]
    for line in text_of("docs/reference/names.md").split("\n"):
        if match := re.match(r"## \[.*\]\(([^)#]+)", line):
            page = posixpath.normpath("docs/reference/" + match[1])
        elif line.startswith("#"):
            page = None
        elif page and (match := re.match(r"\| `([\w:]+)` \|", line)) and match[1] not in places:
            name = match[1]
            ranked = [(score + (3 if candidate == page else 0), candidate, anchor, row)
                      for candidate in [page] + others for score, anchor, row in [best_place(name, candidate)] if score]
            if not ranked:
                continue
            _, candidate, anchor, row = max(ranked, key=lambda it: it[0])
            if row is not None:
                anchored.setdefault(candidate, {}).setdefault(row, []).append(name)
                anchor = name_anchor(name)
            places[name] = (candidate, anchor)


def with_anchors(path, text):
    """The rows that explain names get the names as anchors."""
    lines = text.split("\n")
    for row, names in anchored.get(path, {}).items():
        marks = "".join(f'<span id="{name_anchor(name)}"></span>' for name in names)
        lines[row] = re.sub(r"^\| ?", lambda _: f"| {marks}", lines[row], count=1)
    return "\n".join(lines)


def with_linked_names(text):
    """In names.md, names in the first cell of a row, and in the table of the first names, are links."""

    def link(match):
        if match[1] not in places:
            return f"`{match[1]}`"
        page, anchor = places[match[1]]
        return f"[`{match[1]}`]({posixpath.relpath(page, 'docs/reference')}#{anchor})"

    lines, heading = text.split("\n"), ""
    for k, line in enumerate(lines):
        heading = line if line.startswith("## ") else heading
        if line.startswith("|") and heading == "## The first names":
            lines[k] = re.sub(r"`([\w:]+)`", link, line)
        elif line.startswith("|"):
            lines[k] = re.sub(r"^\| `([\w:]+)`", lambda match: "| " + link(match), line)
    return "\n".join(lines)


# The first page


def block(what):
    """`{block PAGE#ANCHOR N}`: the Nth block of code below a heading; behind it perhaps `lines A-B`, or `line WORD`."""
    page, anchor, number, rest = re.fullmatch(r"(\S+)#(\S+) (\d+)(.*)", what).groups()
    lines = text_of(page).split("\n")
    begin = next((n for n, a, _ in headings(lines) if a == anchor), None)
    if begin is None:
        raise PluginError(f"docs/site/home.md: {page} has no heading {anchor}")
    blocks = [part for is_code, part in chunks("\n".join(lines[begin:])) if is_code]
    first, *code, last = blocks[int(number) - 1]
    if match := re.fullmatch(r" lines (\d+)-(\d+)", rest):
        code = code[int(match[1]) - 1 : int(match[2])]
    elif match := re.fullmatch(r" line (.+)", rest):
        code = [line for line in code if match[1] in line]
    if not code:
        raise PluginError(f"docs/site/home.md: {what} has no such line")
    return "\n".join([first, *code, last])


# MkDocs


def on_config(config):
    config.mdx_configs.setdefault("toc", {})["slugify"] = slug
    seen, found = set(), {}
    for line in text_of("docs/README.md").split("\n"):
        if line.startswith("## "):
            section = found.setdefault(line[3:], [])
            continue
        links = [posixpath.normpath(to.split("#")[0]) for to in re.findall(r"\]\(([^)]+\.md[^)]*)\)", line) if not to.startswith("../")]
        for to in links[:1] if line.startswith("|") else links:
            if found and to not in seen:
                seen.add(to)
                section.append(to)
    for section in SECTIONS:
        if not found.get(section):
            raise PluginError(f"docs/README.md has no section {section} with links")
    config.nav = [{"Home": "index.md"}, {"How do I ..?": "how-do-i.md"}, {"Gallery": "gallery.md"}]
    config.nav += [{section: found[section]} for section in SECTIONS]
    config.nav += [{"Project": [{"README": "readme.md"}, {"All pages": "pages.md"}, {"Contributing": "contributing.md"}, "changelog.md"]}]
    return config


def add_source(path):
    """The page of a source, or of a folder with all its sources."""
    file = ROOT / path
    if path in sources or not file.exists():
        return
    page = path.replace(".html", "_html")  # else that of index.html would be where the folder's is
    sources[path] = path if path.endswith(DRAWN) else f"source/{page}.md"
    if file.is_dir():
        for inner in sorted(file.iterdir()):
            if not inner.name.startswith(".") and inner.name != "__pycache__":
                add_source(f"{path}/{inner.name}")


def source_page(path):
    file = ROOT / path
    top = f"---\nsearch:\n  exclude: true\ntitle: {path}\n---\n\n# {path}\n\n"
    if file.is_dir():
        inner = [p for p in sources if posixpath.dirname(p) == path]
        return top + "\n".join(f"- [{posixpath.basename(p)}]({posixpath.relpath(sources[p], posixpath.dirname(sources[path]))})" for p in inner) + "\n"
    if b"\0" in file.read_bytes():
        return top + f"{file.stat().st_size:,} bytes, which are no text.\n"
    text = file.read_text(encoding="utf-8", errors="replace").rstrip("\n")
    is_script = text.startswith("#!") and "sh" in text.split("\n")[0]
    language = "bash" if is_script else LANGUAGES.get(file.suffix, "text")
    return f"{top}````{language}\n{text}\n````\n"


def on_files(files, config):
    for state in (sources, places, anchored):
        state.clear()
    for page in pages():
        for target in targets(page):
            if target not in MOVED and not target.startswith("docs/"):
                add_source(target)
    find_names()
    for uri in ("README.md", "index.md"):
        if file := files.get_file_from_path(uri):
            files.remove(file)
    for here, there in MOVED.items():
        files.append(File.generated(config, there, content=text_of(here)))
    for here, there in sources.items():
        if here.endswith(DRAWN):
            files.append(File.generated(config, there, abs_src_path=str(ROOT / here)))
        else:
            files.append(File.generated(config, there, content=source_page(here)))
    return files


def on_page_markdown(markdown, page, config, files):
    uri = page.file.src_uri
    if uri.startswith("source/"):
        return markdown
    here = tree_path(uri)
    markdown = with_anchors(here, markdown)
    if here == "docs/reference/names.md":
        markdown = with_linked_names(markdown)
    markdown = re.sub(r"^\{block (.*)\}$", lambda match: block(match[1]), markdown, flags=re.MULTILINE)
    out = []
    for is_code, lines in chunks(markdown):
        if is_code:
            out += [opened(lines[0]), *lines[1:]]
        else:
            out += relinked("\n".join(with_lists(lines)), here, uri).split("\n")
    # A bar in a formula of a table is written \|, which to TeX is a norm
    out = [re.sub(r"\$[^$`]+\$", lambda m: m[0].replace(r"\|", r"\vert "), line) if line.startswith("|") else line for line in out]
    page.meta.setdefault("search", {"boost": next(factor for folder, factor in BOOSTS.items() if here.startswith(folder))})
    return "\n".join(out)


def on_page_content(html_text, page, config, files):
    def mathml(match):
        tex = html.unescape(match["inline"] if match["inline"] is not None else match["display"]).strip()
        display = "inline" if match["inline"] is not None else "block"
        tex = re.sub(r"\\(begin|end)\{aligned\}", r"\\\1{align*}", tex)  # the one of both that the converter knows
        try:
            drawn = latex2mathml.converter.convert(tex, display=display)
        except Exception as error:  # any of its parser's
            raise PluginError(f"{page.file.src_uri}: {tex}: {error!r}")
        # A prime is high by itself; as an exponent it would be tiny and higher
        return re.sub(r"<msup>(<mi>[^<]*</mi>)<mi>(&#x02032;)</mi></msup>", r'\1<mo form="postfix" lspace="0" rspace="0">\2</mo>', drawn)

    return re.sub(r'<(?:span|div) class="arithmatex">(?:\\\((?P<inline>.*?)\\\)|\\\[(?P<display>.*?)\\\])</(?:span|div)>',
                       mathml, html_text, flags=re.DOTALL)
