package io.volume4j.core.node.agent;

import io.volume4j.core.engine.Engine;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.engine.Questions;
import io.volume4j.core.node.NodeStep;
import io.volume4j.core.node.desired.DesiredStateOfWorld;
import io.volume4j.core.node.desired.DesiredVolume;
import io.volume4j.core.node.report.NodeQueries;
import io.volume4j.core.node.report.NodeReports;
import io.volume4j.core.operations.Idleness;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.function.Consumer;

/**
 * Called for each event of the node's steps. Reports the event, fails callers when a final failure prevents what they
 * wait for, and withdraws queries about a mount that the node tears down. Loop thread only.
 */
public final class StepObserver implements Engine.Observer<VolumeId, NodeStep> {
    private final NodeReports reports;
    private final NodeQueries queries;
    private final DesiredStateOfWorld desired;
    private final Waiters waiters;
    private final Questions<VolumeId> questions;
    private final Idleness idleness;

    /** Called with a plugin that refused to attach because the node has too many volumes. */
    private final Consumer<String> refusedForRoom;

    StepObserver(
            NodeReports reports,
            NodeQueries queries,
            DesiredStateOfWorld desired,
            Waiters waiters,
            Questions<VolumeId> questions,
            Idleness idleness,
            Consumer<String> refusedForRoom) {
        this.refusedForRoom = refusedForRoom;
        this.reports = reports;
        this.queries = queries;
        this.desired = desired;
        this.waiters = waiters;
        this.questions = questions;
        this.idleness = idleness;
    }

    @Override
    public void started(VolumeId id, NodeStep step, int attempt) {
        reports.started(id, step, attempt);
        if (step.kind() == NodeStep.Kind.UNMOUNT) {
            questions.withdraw(id, step.podUid());
        }
    }

    @Override
    public void withdrawn(VolumeId id, NodeStep step, int attempt, Duration took) {
        reports.withdrawn(id, step, attempt, took);
        idleness.changed();
    }

    @Override
    public void progress(VolumeId id, NodeStep step, String message) {
        reports.progress(id, step, message);
    }

    @Override
    public void decided(VolumeId id, NodeStep step) {
        reports.decided(id, step);
    }

    @Override
    public void returned(VolumeId id, NodeStep step) {
        reports.returned(id, step);
        idleness.changed();
    }

    @Override
    public void failed(VolumeId id, NodeStep step, int attempt, VolumeException failure, Duration nextTry) {
        reports.failed(id, step, attempt, failure, nextTry);
    }

    @Override
    public void ended(VolumeId id, NodeStep step, int attempt, Outcome outcome, Duration took) {
        reports.ended(id, step, attempt, outcome, took);
        idleness.changed();
        VolumeException failure = outcome.failure();
        if (failure == null) {
            if (queries.mounted(id, step.podUid())) {
                reports.ready(id, step.podUid());
            }
            return;
        }
        if (step.kind() == NodeStep.Kind.ATTACH && failure.kind() == FailureKind.EXHAUSTED) {
            refusedForRoom.accept(id.plugin());
        }
        if (failure.kind().retried()) {
            return;
        }
        if (step.kind() == NodeStep.Kind.EXPAND) {
            // The pods get the volume with its present size.
            return;
        }
        if (!step.podUid().isEmpty()) {
            // A pod that has the volume keeps it: the step was a remount, or a subPath of an ephemeral container.
            if (!queries.mounted(id, step.podUid())) {
                waiters.fail(step.podUid(), failure);
            }
            return;
        }
        DesiredVolume volume = desired.volume(id);
        if (volume != null) {
            new ArrayList<>(volume.uses()).forEach(use -> waiters.fail(use.podUid(), failure));
        }
    }
}
