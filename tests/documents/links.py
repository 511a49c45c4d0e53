"""Every relative link of every page resolves, with its anchor."""
from urllib.parse import unquote, urlsplit

import markdown


def anchors(page):
    """As GitHub makes them: a heading that comes again gets -1, -2, …"""
    seen, found = {}, set()
    for _, heading in page.headings():
        name = markdown.slug(heading)
        count = seen.get(name, 0)
        seen[name] = count + 1
        found.add(name if count == 0 else f"{name}-{count}")
    return found | set(page.anchors())


def links(project, update=False):
    for page in project.pages:
        for at, link in page.links():
            parts = urlsplit(link)
            if parts.scheme in ("https", "mailto"):
                continue
            if parts.scheme or link.startswith("/"):
                project.object(page.path, at, f"the link {link} is neither relative nor https")
                continue
            target = (page.path.parent / unquote(parts.path)).resolve() if parts.path else page.path
            if not target.exists():
                project.object(page.path, at, f"the link {link} leads nowhere")
            elif not target.is_relative_to(project.root.resolve()):
                project.object(page.path, at, f"the link {link} leaves the repository")
            elif parts.fragment and target.suffix == ".md":
                there = project.page(target) or markdown.read(target)
                if unquote(parts.fragment) not in anchors(there):
                    project.object(page.path, at, f"{parts.path or 'this page'} has no heading #{parts.fragment}")
