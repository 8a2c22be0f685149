package io.volume4j.inmemory.guide;

import io.volume4j.inmemory.sim.HostPorts;
import io.volume4j.inmemory.sim.HostProgram;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterSource.Listing;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * The scheduler of a toy orchestrator, as a developer writes it who tests a scheduler with the simulator: a pod without a node gets
 * any node.
 *
 * @param preconditions what must hold when a pod is given a node
 */
record Placement(List<String> nodes, Function<Pod, Preconditions> preconditions) implements HostProgram {
    private static final Duration AGAIN = Duration.ofSeconds(1);

    @Override
    public void start(HostPorts ports) {
        new Incarnation(ports).list();
    }

    private final class Incarnation {
        private final HostPorts ports;

        Incarnation(HostPorts ports) {
            this.ports = ports;
        }

        void list() {
            try {
                Listing pods = ports.cluster().list(Kind.POD, Selection.all());
                pods.objects().forEach(this::place);
                ports.cluster()
                        .watch(
                                Kind.POD,
                                Selection.all(),
                                pods.revision(),
                                event -> ports.loop().execute(() -> heard(event)));
            } catch (ClusterException unavailable) {
                ports.later(AGAIN, this::list);
            }
        }

        private void heard(WatchEvent event) {
            if (event.type() == WatchEvent.Type.EXPIRED) {
                list();
            } else if (event.type() == WatchEvent.Type.CHANGED) {
                place(event.requireObject());
            }
        }

        private void place(ApiObject object) {
            if (object instanceof Pod pod && pod.spec().nodeName().isEmpty()) {
                give(pod, nodes.get(ports.random().nextInt(nodes.size())));
            }
        }

        private void give(Pod pod, String node) {
            try {
                ports.writer()
                        .patch(
                                pod.key(),
                                new Patch(
                                        preconditions.apply(pod),
                                        false,
                                        List.of(FieldChange.set(node, "spec", "nodeName"))));
            } catch (ClusterException refused) {
                // After a conflict the watch tells what the pod is by now.
                if (refused.reason() == ClusterException.Reason.UNAVAILABLE) {
                    ports.later(AGAIN, () -> give(pod, node));
                }
            }
        }
    }
}
