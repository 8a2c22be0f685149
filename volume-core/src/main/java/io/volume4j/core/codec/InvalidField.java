package io.volume4j.core.codec;

/** A field that cannot be read. The caller adds the document's name and the position. */
final class InvalidField extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient FieldPath path;

    InvalidField(FieldPath path, String problem) {
        super(problem, null, false, false);
        this.path = path;
    }

    FieldPath path() {
        return path;
    }

    String problem() {
        return String.valueOf(getMessage());
    }
}
