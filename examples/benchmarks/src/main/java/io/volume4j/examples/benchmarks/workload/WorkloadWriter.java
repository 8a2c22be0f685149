package io.volume4j.examples.benchmarks.workload;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;

/** Writes a workload, line by line; the order of fields is fixed, so that equal workloads are equal files. */
final class WorkloadWriter {
    private final ObjectMapper mapper = new ObjectMapper();
    private final Writer out;

    WorkloadWriter(Writer out) {
        this.out = out;
    }

    void header(WorkloadHeader header) {
        line(mapper.createObjectNode()
                .put("format", WorkloadHeader.FORMAT)
                .put("version", WorkloadHeader.VERSION)
                .put("seed", header.seed())
                .put("backendNanos", header.backendNanos()));
    }

    void operation(Operation operation) {
        ObjectNode node = mapper.createObjectNode()
                .put("time", operation.time())
                .put("operation", operation.kind().text())
                .put("pod", operation.pod())
                .put("volume", operation.volume())
                .put("node", operation.node());
        Fault fault = operation.fault();
        if (fault != null) {
            ObjectNode told = node.putObject("fault").put("kind", fault.kind().text());
            if (fault.kind() == Fault.Kind.DELAY) {
                told.put("nanos", fault.nanos());
            }
        }
        line(node);
    }

    private void line(ObjectNode node) {
        try {
            out.write(mapper.writeValueAsString(node));
            out.write('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
