package io.volume4j.ui;

import java.util.List;

/** The files of the page. */
final class Pages {
    static final List<String> FILES = List.of(
            "index.html",
            "style.css",
            "icon.svg",
            "app.js",
            "api.js",
            "dom.js",
            "overview.js",
            "plots.js",
            "list.js",
            "detail.js",
            "chain.js",
            "actions.js");

    private Pages() {}
}
