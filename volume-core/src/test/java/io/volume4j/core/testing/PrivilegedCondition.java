package io.volume4j.core.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Decides {@link Privileged} by what the kernel says of this process; proc_pid_status(5). */
final class PrivilegedCondition implements ExecutionCondition {
    private static final int CAP_SYS_ADMIN = 21;

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        String missing = missing();
        if (missing.isEmpty()) {
            return ConditionEvaluationResult.enabled("may mount");
        }
        if ("required".equals(System.getProperty("volume4j.privileged"))) {
            throw new IllegalStateException("volume4j.privileged=required, but " + missing);
        }
        return ConditionEvaluationResult.disabled(missing);
    }

    private static String missing() {
        Path status = Path.of("/proc/self/status");
        if (!Files.isReadable(status)) {
            return "there is no " + status;
        }
        try {
            List<String> lines = Files.readAllLines(status);
            // Uid: real, effective, saved, filesystem
            if (!field(lines, "Uid:").split("\\s+")[1].equals("0")) {
                return "the tests do not run as root";
            }
            long effective = Long.parseUnsignedLong(field(lines, "CapEff:"), 16);
            return (effective >>> CAP_SYS_ADMIN & 1) == 1 ? "" : "root lacks CAP_SYS_ADMIN here";
        } catch (IOException e) {
            return "cannot read " + status + ": " + e.getMessage();
        }
    }

    private static String field(List<String> lines, String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()).trim())
                .findFirst()
                .orElse("");
    }
}
