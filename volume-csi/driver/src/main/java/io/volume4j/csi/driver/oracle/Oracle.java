package io.volume4j.csi.driver.oracle;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Remembers what the caller did wrong, and which secrets it was trusted with. Survives crashes of the driver that it watches.
 * Thread-safe.
 *
 * @since 0.1.0
 */
public final class Oracle {
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final List<Violation> violations = new ArrayList<>();

    @GuardedBy("lock")
    private final TreeSet<String> secrets = new TreeSet<>();

    /** An oracle that has seen nothing yet. */
    public Oracle() {}

    /** The caller did this. */
    public void note(Rule rule, String rpc, String text) {
        synchronized (lock) {
            violations.add(new Violation(rule, rpc, text));
        }
    }

    /** The caller sent these. Values of less than four characters are too common to be looked for. */
    public void remember(Map<String, String> sent) {
        synchronized (lock) {
            for (String value : sent.values()) {
                if (value.length() >= 4) {
                    secrets.add(value);
                }
            }
        }
    }

    /** Everything that was done wrong, in its order. */
    public List<Violation> violations() {
        synchronized (lock) {
            return List.copyOf(violations);
        }
    }

    /** Forgets what was done wrong; secrets stay known. */
    public void clear() {
        synchronized (lock) {
            violations.clear();
        }
    }

    /** How many of the secrets that were sent stand in the text. */
    public int secretsIn(String text) {
        synchronized (lock) {
            return (int) secrets.stream().filter(text::contains).count();
        }
    }

    /** The numbers of the lines of a log in which a secret stands, from 1; the secrets themselves are not told. */
    public List<Integer> linesWithSecrets(Path log) throws IOException {
        List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = new String(lines.get(i).getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
            if (secretsIn(line) > 0) {
                found.add(i + 1);
            }
        }
        return found;
    }

    @Override
    public String toString() {
        return violations().size() + " violations";
    }
}
