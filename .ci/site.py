"""Lays out the pages of the site: docs/, the README as the first page, and copies of the files of the repository that pages link to."""

import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = pathlib.Path(sys.argv[1])
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)#\s]+)(#[^)\s]*)?\)")
PAGES = {"README.md": "index.md", "CHANGELOG.md": "CHANGELOG.md", "CONTRIBUTING.md": "CONTRIBUTING.md", "SECURITY.md": "SECURITY.md"}


def place(source):
    """Where a file of the repository is on the site, or None for a directory."""
    name = source.relative_to(ROOT).as_posix()
    if name in PAGES:
        return PAGES[name]
    if name.startswith("docs/"):
        return name[len("docs/"):] if source.is_file() else None
    return "source/" + name if source.is_file() else None


def relative(target, page):
    ups = len(pathlib.PurePosixPath(page).parent.parts)
    return "../" * ups + target


def rewritten(text, source, page):
    def link(match):
        sign, words, address, anchor = match.groups()
        if re.match(r"[a-z]+:", address):
            return match.group(0)
        target = (source.parent / address).resolve()
        if not target.exists():
            sys.exit(f"{source.relative_to(ROOT)}: dead link to {address}")
        if target == ROOT / "docs" / "decisions":
            return f"[{words}]({relative('decisions/index.md', page)})"
        if target.is_dir():
            # A folder of the repository has no page.
            return words
        where = place(target)
        if where.startswith("source/"):
            copy = OUT / where
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(target, copy)
        return f"{sign}[{words}]({relative(where, page)}{anchor or ''})"

    fences = re.split(r"(?ms)(^```.*?^```\s*$)", text)
    return "".join(part if i % 2 else LINK.sub(link, part) for i, part in enumerate(fences))


def main():
    shutil.rmtree(OUT, ignore_errors=True)
    pages = {ROOT / name: page for name, page in PAGES.items()}
    for file in sorted((ROOT / "docs").rglob("*")):
        if file.is_file():
            name = file.relative_to(ROOT / "docs").as_posix()
            if file.suffix == ".md":
                pages[file] = name
            else:
                (OUT / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, OUT / name)
    for source, page in pages.items():
        (OUT / page).parent.mkdir(parents=True, exist_ok=True)
        (OUT / page).write_text(rewritten(source.read_text(), source, page))
    decisions = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    titles = [(file.name, file.read_text().splitlines()[0].lstrip("# ")) for file in decisions]
    (OUT / "decisions/index.md").write_text("# Decisions\n\n" + "".join(f"- [{title}]({name})\n" for name, title in titles))
    (OUT / "javadoc.md").write_text("# API\n\nThe [Javadoc of all published modules](javadoc/index.html){ target=_blank }.\n")
    (OUT / "site.css").write_text(
        ":root > * { --md-primary-fg-color: #23405f; --md-accent-fg-color: #2a5fa8; }\n"
        ".md-typeset table:not([class]) { font-size: .68rem; }\n"
        ".md-typeset img { border: 1px solid var(--md-default-fg-color--lightest); border-radius: 6px; }\n")


main()
