package io.volume4j.core.codec;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/** The error of a parser, in one line. Does not contain the text, which may have secrets. */
record SyntaxProblem(int line, int column, String text) {
    static SyntaxProblem of(IOException failed, String format) {
        if (failed.getCause() instanceof MarkedYAMLException marked) {
            return ofYaml(marked);
        }
        JsonLocation location = failed instanceof JsonProcessingException processing ? processing.getLocation() : null;
        return new SyntaxProblem(
                location == null ? 0 : location.getLineNr(),
                location == null ? 0 : location.getColumnNr(),
                "is not valid " + format + ": " + withoutContent(failed));
    }

    private static SyntaxProblem ofYaml(MarkedYAMLException failed) {
        @Nullable Mark mark = failed.getProblemMark() == null ? failed.getContextMark() : failed.getProblemMark();
        String problem = String.valueOf(failed.getProblem());
        String context = failed.getContext();
        String text = problem.contains("(TAB)")
                ? "a tab is not allowed here: indent with spaces"
                : (context == null ? "" : context + ": ") + problem;
        return new SyntaxProblem(
                mark == null ? 0 : mark.getLine() + 1,
                mark == null ? 0 : mark.getColumn() + 1,
                "is not valid YAML: " + text);
    }

    /** Jackson's message, without parts of the text. */
    private static String withoutContent(IOException failed) {
        String message = failed instanceof JsonProcessingException processing
                ? processing.getOriginalMessage()
                : failed.getMessage();
        if (failed instanceof StreamConstraintsException) {
            return "a number or a key is longer than any manifest needs";
        }
        if (message == null) {
            return "cannot be read";
        }
        if (message.contains("surrogate")) {
            return "a key " + Texts.HALF;
        }
        if (message.startsWith("Unrecognized token")) {
            return "a word where a value is expected: put text in quotes";
        }
        if (message.startsWith("Expected a field name")) {
            return "a key must be text";
        }
        String firstLine = message.lines().findFirst().orElse("");
        int detail = firstLine.indexOf(" (start marker");
        return detail < 0 ? firstLine : firstLine.substring(0, detail);
    }
}
