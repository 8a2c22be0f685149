package io.volume4j.examples.csilifecycle;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** One volume in its current state; the ledger has what must be undone. */
final class Item {
    private final String key;
    private final Path directory;
    private String id = "";
    private long bytes;
    private final Map<String, String> context = new TreeMap<>();
    private final Map<String, String> publishContext = new TreeMap<>();

    Item(String key, Path directory) {
        this.key = key;
        this.directory = directory;
    }

    String key() {
        return key;
    }

    String id() {
        return id;
    }

    long bytes() {
        return bytes;
    }

    void grownTo(long newBytes) {
        bytes = newBytes;
    }

    Map<String, String> context() {
        return context;
    }

    Map<String, String> publishContext() {
        return publishContext;
    }

    void is(String newId, long newBytes, Map<String, String> newContext) {
        id = newId;
        bytes = newBytes;
        context.clear();
        context.putAll(newContext);
    }

    void attachedWith(Map<String, String> newContext) {
        publishContext.clear();
        publishContext.putAll(newContext);
    }

    Path directory() {
        return directory;
    }

    Path staging() {
        return directory.resolve("staging");
    }

    Path target() {
        return directory.resolve("pod").resolve("target");
    }
}
