package io.volume4j.core.codec;

import java.util.Map;
import java.util.Objects;

/**
 * A manifest that cannot be read. The message is one printable line: {@code file:line:column: Kind namespace/name:
 * path: problem and correction}. Unknown parts are omitted. The message contains no value of a field that may contain
 * a secret.
 *
 * @since 0.1.0
 */
public final class ManifestException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String source;
    private final int line;
    private final int column;
    private final String object;
    private final String path;
    private final String problem;

    ManifestException(String source, int line, int column, String object, String path, String problem) {
        super(message(source, line, column, object, path, problem));
        this.source = source;
        this.line = line;
        this.column = column;
        this.object = object;
        this.path = path;
        this.problem = problem;
    }

    /** An error in a tree that was not read from a text. */
    static ManifestException withoutPlace(Map<?, ?> document, InvalidField invalid) {
        return new ManifestException(
                "", 0, 0, ObjectShape.describe(document), invalid.path().toString(), invalid.problem());
    }

    /** The caller's name for the text, {@code ""} if a tree was read. */
    public String source() {
        return source;
    }

    /** The line of the wrong value, or of its parent if the value is missing. Counted from 1; 0 if unknown. */
    public int line() {
        return line;
    }

    /** The column of the same value. Counted from 1; 0 if unknown. */
    public int column() {
        return column;
    }

    /** {@code Kind namespace/name} of the object, as far as known; {@code ""} if unknown. */
    public String object() {
        return object;
    }

    /** The field, such as {@code spec.accessModes[0]}; {@code ""} for the document as a whole. */
    public String path() {
        return path;
    }

    /** The problem and its correction. */
    public String problem() {
        return problem;
    }

    private static String message(String source, int line, int column, String object, String path, String problem) {
        Objects.requireNonNull(problem, "problem");
        StringBuilder message = new StringBuilder(160);
        if (!source.isEmpty()) {
            message.append(source);
            if (line > 0) {
                message.append(':').append(line).append(':').append(column);
            }
            message.append(": ");
        }
        if (!object.isEmpty()) {
            message.append(object).append(": ");
        }
        if (!path.isEmpty()) {
            message.append(path).append(": ");
        }
        return Shown.line(message.append(problem).toString());
    }
}
