package io.volume4j.examples.agent;

import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.spi.mount.Abilities;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Runs a test only where this process may mount; with {@code volume4j.privileged=required} it fails elsewhere. */
public final class AsRoot implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        Abilities abilities;
        try (LinuxMountBackend backend = LinuxMountBackend.create()) {
            abilities = backend.abilities();
        }
        if (abilities.mayMount()) {
            return ConditionEvaluationResult.enabled("may mount");
        }
        if ("required".equals(System.getProperty("volume4j.privileged"))) {
            throw new IllegalStateException("volume4j.privileged=required, but " + abilities.reason());
        }
        return ConditionEvaluationResult.disabled(abilities.reason());
    }
}
