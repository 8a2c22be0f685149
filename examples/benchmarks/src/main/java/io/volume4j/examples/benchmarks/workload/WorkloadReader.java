package io.volume4j.examples.benchmarks.workload;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.volume4j.examples.commandline.FileReason;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a workload as a stream, one pod at a time; ignores unknown fields, so that later versions may add some. */
final class WorkloadReader {
    private final ObjectMapper mapper = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    private final BufferedReader in;
    private final WorkloadHeader header;
    private long line;
    private long latest;
    private @Nullable Operation next;

    /** Reads the header. */
    WorkloadReader(Reader in) {
        this.in = new BufferedReader(in);
        JsonNode first = read();
        if (first == null || !first.path("format").asText().equals(WorkloadHeader.FORMAT)) {
            throw new WorkloadException("line 1: not a workload, its format should be " + WorkloadHeader.FORMAT);
        }
        if (first.path("version").asInt() != WorkloadHeader.VERSION) {
            throw new WorkloadException("line 1: version "
                    + first.path("version").asText() + " is not known here, only " + WorkloadHeader.VERSION);
        }
        this.header = new WorkloadHeader(
                first.path("seed").asLong(), first.path("backendNanos").asLong());
        this.next = operation();
    }

    WorkloadHeader header() {
        return header;
    }

    /** The lines of the next pod, empty at the end. */
    List<Operation> nextPod() {
        List<Operation> lines = new ArrayList<>();
        Operation first = next;
        while (next != null && first != null && next.samePod(first)) {
            lines.add(next);
            next = operation();
        }
        return lines;
    }

    private @Nullable Operation operation() {
        JsonNode node = read();
        if (node == null) {
            return null;
        }
        try {
            Operation operation = new Operation(
                    number(node, "time"),
                    Operation.Kind.of(text(node, "operation")),
                    text(node, "pod"),
                    text(node, "volume"),
                    text(node, "node"),
                    fault(node.get("fault")));
            if (operation.time() < latest) {
                throw new WorkloadException("time goes back from " + latest + " to " + operation.time());
            }
            latest = operation.time();
            return operation;
        } catch (WorkloadException e) {
            throw new WorkloadException("line " + line + ": " + e.getMessage(), e);
        }
    }

    private static @Nullable Fault fault(@Nullable JsonNode node) {
        if (node == null || node.isNull()) {
            return null;
        }
        Fault.Kind kind = Fault.Kind.of(text(node, "kind"));
        return new Fault(kind, kind == Fault.Kind.DELAY ? number(node, "nanos") : 0);
    }

    private static String text(JsonNode node, String field) {
        JsonNode value = node.get(field);
        if (value == null || !value.isTextual() || value.asText().isEmpty()) {
            throw new WorkloadException("'" + field + "' should be a text");
        }
        return value.asText();
    }

    private static long number(JsonNode node, String field) {
        JsonNode value = node.get(field);
        if (value == null || !value.canConvertToLong() || !value.isIntegralNumber() || value.asLong() < 0) {
            throw new WorkloadException("'" + field + "' should be a number of nanoseconds");
        }
        return value.asLong();
    }

    /** The next line that is not empty. */
    private @Nullable JsonNode read() {
        try {
            String text = in.readLine();
            line++;
            while (text != null && text.isBlank()) {
                text = in.readLine();
                line++;
            }
            return text == null ? null : mapper.readTree(text);
        } catch (JsonProcessingException e) {
            throw new WorkloadException("line " + line + ": not JSON: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new WorkloadException("line " + line + ": cannot be read: " + FileReason.of(e), e);
        }
    }
}
