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
 * Records the errors of the caller and the secrets that it sent. Survives crashes of its driver. Thread-safe.
 *
 * @since 0.1.0
 */
public final class Oracle {
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final List<Violation> violations = new ArrayList<>();

    @GuardedBy("lock")
    private final TreeSet<String> secrets = new TreeSet<>();

    /** An oracle without records. */
    public Oracle() {}

    /** Records an error of the caller. */
    public void note(Rule rule, String rpc, String text) {
        synchronized (lock) {
            violations.add(new Violation(rule, rpc, text));
        }
    }

    /** Records the secrets of a call. Ignores values of less than four characters, which are too common for a search. */
    public void remember(Map<String, String> sent) {
        synchronized (lock) {
            for (String value : sent.values()) {
                if (value.length() >= 4) {
                    secrets.add(value);
                }
            }
        }
    }

    /** All errors, in their order. */
    public List<Violation> violations() {
        synchronized (lock) {
            return List.copyOf(violations);
        }
    }

    /** Clears the errors; secrets stay known. */
    public void clear() {
        synchronized (lock) {
            violations.clear();
        }
    }

    /** The number of sent secrets that the text contains. */
    public int secretsIn(String text) {
        synchronized (lock) {
            return (int) secrets.stream().filter(text::contains).count();
        }
    }

    /** The numbers of the lines of a log that contain a secret, from 1; the result does not contain the secrets. */
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
