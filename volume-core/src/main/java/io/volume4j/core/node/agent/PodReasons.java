package io.volume4j.core.node.agent;

import io.volume4j.core.driver.DriverObjects;
import io.volume4j.core.engine.Engine;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.node.NodeStep;
import io.volume4j.core.node.VolumeView;
import io.volume4j.core.node.actual.ActualStateOfWorld;
import io.volume4j.core.node.attach.AttachErrors;
import io.volume4j.core.node.desired.DesiredStateOfWorld;
import io.volume4j.core.node.desired.DesiredStateOfWorldPopulator;
import io.volume4j.core.node.desired.DesiredVolume;
import io.volume4j.core.node.desired.ResolvedPod;
import io.volume4j.core.node.desired.ResolvedPod.ResolvedVolume;
import io.volume4j.core.node.report.NodeQueries;
import io.volume4j.core.node.report.VolumeWatch;
import io.volume4j.spi.VolumeId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Explains why pods do not have the volumes that they want. Changes nothing. Loop thread only. */
final class PodReasons {
    private final DesiredStateOfWorld desired;
    private final ActualStateOfWorld actual;
    private final DesiredStateOfWorldPopulator pods;
    private final NodeQueries queries;
    private final LoopRequests requests;
    private final Engine<VolumeId, VolumeView, NodeStep> engine;
    private final DriverObjects drivers;

    private final VolumeWatch watch;
    private final AttachErrors attachErrors;

    PodReasons(
            DesiredStateOfWorld desired,
            ActualStateOfWorld actual,
            DesiredStateOfWorldPopulator pods,
            NodeQueries queries,
            LoopRequests requests,
            Engine<VolumeId, VolumeView, NodeStep> engine,
            DriverObjects drivers,
            VolumeWatch watch,
            AttachErrors attachErrors) {
        this.watch = watch;
        this.attachErrors = attachErrors;
        this.drivers = drivers;
        this.desired = desired;
        this.actual = actual;
        this.pods = pods;
        this.queries = queries;
        this.requests = requests;
        this.engine = engine;
    }

    /** Explains the state of the pod's volumes. */
    Explanation of(String podUid, String subject) {
        ResolvedPod pod = desired.pod(podUid);
        List<Explanation.StepState> steps = new ArrayList<>();
        List<String> waits = new ArrayList<>();
        Set<VolumeId> ids = new LinkedHashSet<>(actual.ofPod(podUid));
        if (pod != null) {
            pod.problems().forEach((name, problem) -> waits.add("volume " + name + ": " + problem.text()));
            for (ResolvedVolume volume : pod.volumes().values()) {
                ids.add(volume.id());
            }
        }
        for (VolumeId id : ids) {
            Explanation volume = explained(id, id.toString());
            steps.addAll(volume.steps());
            waits.addAll(volume.waits());
        }
        if (pod == null && ids.isEmpty()) {
            return Explanation.unknown(subject, requests.started() ? pods.whyUnknown() : requests.notStarted());
        }
        List<String> notes =
                new ArrayList<>(pod == null ? List.of() : notes(pod.volumes().values()));
        String unheard = pods.whyUnheard();
        if (!unheard.isEmpty()) {
            notes.add(unheard);
        }
        return new Explanation(subject, true, steps, waits, notes);
    }

    /** Explains the state of the volume. */
    Explanation of(VolumeId id) {
        Explanation volume = explained(id, "volume " + id);
        DesiredVolume wanted = desired.volume(id);
        return wanted == null ? volume : volume.withNotes(notes(List.of(wanted.volume())));
    }

    private Explanation explained(VolumeId id, String subject) {
        requests.requireStarted();
        return engine.explain(id, subject);
    }

    private List<String> notes(Collection<ResolvedVolume> volumes) {
        Set<String> notes = new LinkedHashSet<>();
        for (ResolvedVolume volume : volumes) {
            notes.addAll(overridden(volume));
            String refusal = attachErrors.said(volume.id());
            if (!refusal.isEmpty()) {
                notes.add("volume " + volume.outerName() + " could not be attached, says its VolumeAttachment: "
                        + refusal);
            }
            String holder = attachErrors.holder(volume.id());
            if (!holder.isEmpty()) {
                notes.add("waiting for volume " + volume.spec().name() + " to be detached from " + holder
                        + ", because only one node may have it");
            }
            String finding = watch.finding(volume.id());
            if (!finding.isEmpty()) {
                notes.add("volume " + volume.outerName() + " is not well: " + finding);
            }
        }
        return List.copyOf(notes);
    }

    private List<String> overridden(ResolvedVolume volume) {
        return drivers.overridden(volume.spec(), volume.plugin());
    }

    /** What is missing for the pod, and why. */
    String missing(String podUid) {
        return queries.missing(podUid) + "; " + of(podUid, "pod " + podUid).text();
    }

    /** The same for each pod that does not have all its volumes; {@code ""} if all have them. */
    String missing() {
        if (!pods.complete()) {
            return "the pods of the node are not known: the cluster cannot be listed";
        }
        List<String> texts = new ArrayList<>();
        for (ResolvedPod pod : desired.pods()) {
            if (!pod.pod().terminated() && !queries.whole(pod)) {
                texts.add("pod " + pod.name() + ": " + missing(pod.uid()));
            }
        }
        return String.join("\n", texts);
    }
}
