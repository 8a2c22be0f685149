package io.volume4j.inmemory.scenario;

/**
 * A scenario file that cannot be read. The message begins with file, line and column.
 *
 * @since 0.1.0
 */
public final class ScenarioException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ScenarioException(String source, int line, int column, String problem) {
        super(source + ":" + line + ":" + column + ": " + problem);
    }
}
