package io.volume4j.core.control.attach.plan;

import io.volume4j.core.control.attach.plan.NodeView.Entry;
import io.volume4j.core.control.attach.plan.NodeView.Wish;
import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Wait;
import io.volume4j.core.grants.GrantList;
import io.volume4j.core.volumes.NodeVolumeNames;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.Fence;
import io.volume4j.spi.model.Node.AttachedVolume;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Plans what a node's object says about attachments: the grants in its annotations, and the same volumes in its status. One write
 * contains all changes since the last write. Volumes in the status that the controller does not know stay. Names in the format of
 * versions before 0.1 become Kubernetes' names.
 */
public final class GrantPlanner {
    private GrantPlanner() {}

    static Plan<AttachStep> plan(NodeView view) {
        List<AttachStep> steps = new ArrayList<>(2);
        List<Wait> waits = new ArrayList<>(1);
        if (view.write()) {
            write(view, steps);
        }
        if (view.evidenceWanted()) {
            if (view.askAt() <= view.now()) {
                steps.add(new AttachStep.AskFence(view.node(), view.uid(), view.agent()));
            } else {
                waits.add(Wait.until(view.askAt(), "for evidence that node " + view.node() + " is cut off"));
            }
        }
        return new Plan<>(steps, waits);
    }

    private static void write(NodeView view, List<AttachStep> steps) {
        GrantList before = view.grants() == null ? GrantList.none() : view.grants();
        int room = 2 * view.entries().size() + 16;
        Map<String, GrantList.Grant> grants = new LinkedHashMap<>(room);
        Map<String, String> attached = new LinkedHashMap<>(room);
        view.attached()
                .forEach(volume -> attached.merge(
                        NodeVolumeNames.idText(volume.name()),
                        volume.devicePath(),
                        (first, second) -> first.isEmpty() ? second : first));
        before.grants().keySet().forEach(attached::remove);
        List<VolumeId> taken = new ArrayList<>();
        List<VolumeId> returned = new ArrayList<>();
        Map<VolumeId, Fence> forced = new LinkedHashMap<>();
        for (Entry entry : view.entries()) {
            String name = entry.volume().toString();
            GrantList.@Nullable Grant now = before.of(name);
            if (entry.wish() == Wish.TAKE) {
                attached.remove(name);
                taken.add(entry.volume());
                if (entry.returned()) {
                    returned.add(entry.volume());
                }
                if (entry.force() != null) {
                    forced.put(entry.volume(), entry.force());
                }
            } else {
                GrantList.@Nullable Grant listed = listed(entry, now);
                if (listed != null) {
                    grants.put(name, listed);
                }
                attached.put(name, entry.devicePath());
            }
        }
        boolean grantsStay = before.grants().equals(grants);
        @Nullable GrantList newGrants = grantsStay ? null : new GrantList(grants);
        @Nullable List<AttachedVolume> newAttached = sameAttached(view.attached(), attached) ? null : listed(attached);
        if (newGrants != null || newAttached != null) {
            steps.add(new AttachStep.WriteGrants(
                    view.node(),
                    view.uid(),
                    view.revision(),
                    newGrants,
                    newAttached,
                    List.copyOf(taken),
                    view.foreignAgent() ? List.copyOf(returned) : List.of(),
                    forced));
        }
    }

    /** A grant that is still valid keeps its entry, even if another process has taken over the record since. */
    private static GrantList.@Nullable Grant listed(Entry entry, GrantList.@Nullable Grant now) {
        GrantList.@Nullable Grant grant = entry.grant();
        boolean stands = now != null
                && (grant == null || (entry.wish() == Wish.KEEP && now.uid().equals(grant.uid())));
        return stands ? now : grant;
    }

    private static boolean sameAttached(List<AttachedVolume> now, Map<String, String> wanted) {
        return now.size() == wanted.size()
                && now.stream().allMatch(volume -> {
                    VolumeId id = NodeVolumeNames.parse(volume.name()).orElse(null);
                    String text = id == null ? volume.name() : id.toString();
                    return volume.devicePath().equals(wanted.get(text))
                            && (id == null || volume.name().equals(NodeVolumeNames.of(id)));
                });
    }

    private static List<AttachedVolume> listed(Map<String, String> attached) {
        List<AttachedVolume> list = new ArrayList<>(attached.size());
        attached.forEach((name, path) -> list.add(new AttachedVolume(NodeVolumeNames.ofIdText(name), path)));
        return List.copyOf(list);
    }
}
