package io.volume4j.core.control;

import io.volume4j.core.control.attach.ExternalAttacherAgent;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.worlds.OperationLimits;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** An external attacher's agent with its threads. */
record AttacherProcess(ExternalAttacherAgent agent, AgentThreads threads, OperationLimits limits)
        implements AgentController, ExternalAttacher {
    @Override
    public CompletableFuture<Explanation> explain(String attachment) {
        return threads.answered(agent.explain(attachment));
    }

    @Override
    public CompletableFuture<List<PlannedStep>> plan() {
        return threads.answered(agent.plan()).thenApply(PlannedStep::of);
    }

    @Override
    public CompletableFuture<Explanation> explain(ObjectKey object) {
        if (object.kind() != Kind.VOLUME_ATTACHMENT) {
            throw new IllegalArgumentException("explains VolumeAttachments, not " + object);
        }
        return explain(object.name());
    }
}
