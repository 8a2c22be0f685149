package io.volume4j.core.control.attach;

import io.volume4j.core.control.host.ControlOptions;
import io.volume4j.core.engine.Backoff;
import io.volume4j.core.engine.OperationExecutor;
import io.volume4j.core.worlds.OperationLimits;
import io.volume4j.core.worlds.RetryBackoff;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Options for attaching and detaching.
 *
 * @param clusterDeadline of a write to the cluster or a read from it
 * @param driverDeadline of a call to a driver; shorter if the lease ends before
 * @param clusterCalls how many calls to the cluster may run at once
 * @param resyncPerSecond how many pairs are visited each second without a change, and how many VolumeAttachments and deleted
 *     PersistentVolumes with open work; 0 for none
 * @param verifyEvery time between two queries of each backend for its attachments; zero for never
 * @param askFenceEvery time between two requests for evidence about a node, while a volume waits for it
 * @param acceptedRiskAfter time after which the controller detaches a volume that no pod wants from an unhealthy node without
 *     evidence; zero for never. A host that sets it accepts that two nodes may write to one volume
 * @param externalAttachers drivers whose VolumeAttachments an external attacher carries out
 * @param attachLimits how many volumes of a driver a node may have, by driver, if the node does not report it
 * @param kubernetesNames whether VolumeAttachments that this process carries out have Kubernetes' names and finalizers, so that
 *     Kubernetes' controllers can replace this one at any time
 * @param takesOver whether an attacher continues VolumeAttachments that a controller, which it replaces, carried out itself
 */
public record AttachOptions(
        Duration clusterDeadline,
        Duration driverDeadline,
        int clusterCalls,
        Backoff backoff,
        OperationExecutor.Limits limits,
        int resyncPerSecond,
        Duration verifyEvery,
        Duration askFenceEvery,
        Duration acceptedRiskAfter,
        Set<String> externalAttachers,
        Map<String, Integer> attachLimits,
        boolean kubernetesNames,
        boolean takesOver) {
    public AttachOptions {
        externalAttachers = Collections.unmodifiableSet(new LinkedHashSet<>(externalAttachers));
        attachLimits = Collections.unmodifiableMap(new LinkedHashMap<>(attachLimits));
    }

    /**
     * 30 s for the cluster, 2 min for drivers, 64 calls to the cluster at once, at most 512 calls at once; 100 pairs a second;
     * verification each minute; a request for evidence every 10 s; no accepted risk.
     */
    public static AttachOptions standard() {
        return new AttachOptions(
                Duration.ofSeconds(30),
                Duration.ofMinutes(2),
                64,
                Backoff.standard(),
                new OperationExecutor.Limits(512, 128, 512),
                100,
                Duration.ofMinutes(1),
                Duration.ofSeconds(10),
                Duration.ZERO,
                Set.of(),
                Map.of(),
                false,
                false);
    }

    public AttachOptions withResyncPerSecond(int pairs) {
        return changed(change -> change.resyncPerSecond = pairs);
    }

    public AttachOptions withVerifyEvery(Duration time) {
        return changed(change -> change.verifyEvery = time);
    }

    public AttachOptions withAskFenceEvery(Duration time) {
        return changed(change -> change.askFenceEvery = time);
    }

    public AttachOptions withAcceptedRiskAfter(Duration time) {
        return changed(change -> change.acceptedRiskAfter = time);
    }

    public AttachOptions withExternalAttachers(Set<String> drivers) {
        return changed(change -> change.externalAttachers = drivers);
    }

    public AttachOptions withAttachLimits(Map<String, Integer> byDriver) {
        return changed(change -> change.attachLimits = byDriver);
    }

    public AttachOptions withKubernetesNames(boolean value) {
        return changed(change -> change.kubernetesNames = value);
    }

    public AttachOptions withTakesOver(boolean value) {
        return changed(change -> change.takesOver = value);
    }

    public AttachOptions withBackoff(RetryBackoff given) {
        return changed(change -> change.backoff = ControlOptions.backoff(given));
    }

    public AttachOptions withLimits(OperationLimits given) {
        return changed(change -> change.limits = ControlOptions.limits(given));
    }

    public AttachOptions withClusterDeadline(Duration time) {
        return changed(change -> change.clusterDeadline = time);
    }

    public AttachOptions withDriverDeadline(Duration time) {
        return changed(change -> change.driverDeadline = time);
    }

    private AttachOptions changed(Consumer<Change> what) {
        Change change = new Change(this);
        what.accept(change);
        return change.made();
    }

    /** A mutable copy of the options: the only place that copies them. */
    private static final class Change {
        private Duration clusterDeadline;
        private Duration driverDeadline;
        private int clusterCalls;
        private Backoff backoff;
        private OperationExecutor.Limits limits;
        private int resyncPerSecond;
        private Duration verifyEvery;
        private Duration askFenceEvery;
        private Duration acceptedRiskAfter;
        private Set<String> externalAttachers;
        private Map<String, Integer> attachLimits;
        private boolean kubernetesNames;
        private boolean takesOver;

        Change(AttachOptions from) {
            clusterDeadline = from.clusterDeadline;
            driverDeadline = from.driverDeadline;
            clusterCalls = from.clusterCalls;
            backoff = from.backoff;
            limits = from.limits;
            resyncPerSecond = from.resyncPerSecond;
            verifyEvery = from.verifyEvery;
            askFenceEvery = from.askFenceEvery;
            acceptedRiskAfter = from.acceptedRiskAfter;
            externalAttachers = from.externalAttachers;
            attachLimits = from.attachLimits;
            kubernetesNames = from.kubernetesNames;
            takesOver = from.takesOver;
        }

        AttachOptions made() {
            return new AttachOptions(
                    clusterDeadline,
                    driverDeadline,
                    clusterCalls,
                    backoff,
                    limits,
                    resyncPerSecond,
                    verifyEvery,
                    askFenceEvery,
                    acceptedRiskAfter,
                    externalAttachers,
                    attachLimits,
                    kubernetesNames,
                    takesOver);
        }
    }
}
