package io.volume4j.examples.agent.hosts;

import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Claims whose pods move from node to node, and the containers of these pods: a process on the pod's node that writes its pod's name and
 * a number, line by line, to a file of the volume. The container of a pod that is deleted is stopped before, where its node can be
 * reached; on a node that is cut off it writes on, because its node hears of nothing.
 */
final class Workload {
    private static final String WRITES =
            "exec 3>>\"$1\"; i=0; while :; do i=$((i+1)); echo \"$2 $i\" >&3; sleep 0.3; done";

    private final Hosts hosts;
    private final RandomGenerator random;
    private final List<@Nullable Pod> pods = new ArrayList<>();
    private final List<Pod> containers = new ArrayList<>();
    private int made;

    /** A pod of one claim. */
    private static final class Pod {
        final String name;
        final Host node;
        boolean deleted;

        @Nullable
        Process container;

        Pod(String name, Host node) {
            this.name = name;
            this.node = node;
        }
    }

    Workload(Hosts hosts, RandomGenerator random, int claims) {
        this.hosts = hosts;
        this.random = random;
        create("""
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: shared}
                provisioner: %s
                """.formatted(Hosts.DRIVER));
        for (int i = 0; i < claims; i++) {
            create("""
                    apiVersion: v1
                    kind: PersistentVolumeClaim
                    metadata: {name: claim-%d, uid: claim-%d}
                    spec:
                      storageClassName: shared
                      accessModes: [ReadWriteOnce]
                      resources: {requests: {storage: 1Mi}}
                    """.formatted(i, i));
            pods.add(null);
            move(i);
        }
    }

    /** Deletes the pod of a claim, and makes another one on another node. */
    void moveOne() {
        move(random.nextInt(pods.size()));
    }

    void moveAllFrom(Host node) {
        for (int claim = 0; claim < pods.size(); claim++) {
            Pod pod = pods.get(claim);
            if (pod != null && pod.node == node) {
                move(claim);
            }
        }
    }

    private void move(int claim) {
        Pod old = pods.get(claim);
        List<Host> others = hosts.nodes.stream()
                .filter(each -> old == null || each != old.node)
                .toList();
        Pod pod = new Pod("p" + ++made, others.get(random.nextInt(others.size())));
        if (old != null) {
            old.deleted = true;
            if (!old.node.isCut()) {
                stop(old);
            }
            untilDone(() -> hosts.cluster.delete(ObjectKey.pod("default", old.name), Preconditions.none()));
        }
        create("""
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, uid: %s}
                spec:
                  nodeName: %s
                  containers:
                    - name: app
                      image: busybox
                      volumeMounts:
                        - {name: data, mountPath: /data}
                  volumes:
                    - name: data
                      persistentVolumeClaim: {claimName: claim-%d}
                """.formatted(pod.name, pod.name, pod.node.name, claim));
        System.out.println("workload: claim-" + claim + " goes to " + pod.name + " on " + pod.node.name);
        pods.set(claim, pod);
        containers.add(pod);
    }

    /** Starts the containers of pods whose volume is mounted; to be called again and again. */
    void runContainers() throws IOException {
        List<String> mounts = Files.readAllLines(Path.of("/proc/self/mountinfo"));
        for (Pod pod : containers) {
            if (!pod.deleted && !runs(pod) && pod.node.on()) {
                Optional<String> mounted = mounted(mounts, pod);
                if (mounted.isPresent()) {
                    pod.container = pod.node.start(
                            pod.node.log("containers"), "sh", "-c", WRITES, "sh", mounted.get() + "/writes", pod.name);
                }
            }
        }
    }

    private Optional<String> mounted(List<String> mounts, Pod pod) {
        String below = hosts.root(pod.node).resolve("pods").resolve(pod.name) + "/";
        return mounts.stream()
                .map(line -> line.split(" ")[4])
                .filter(at -> at.startsWith(below))
                .findFirst();
    }

    /** Before a node can be reached again: it hears of the pods that were deleted meanwhile. */
    void stopDeleted(Host node) {
        for (Iterator<Pod> each = containers.iterator(); each.hasNext(); ) {
            Pod pod = each.next();
            if (pod.node == node && pod.deleted) {
                stop(pod);
                each.remove();
            }
        }
    }

    private static boolean runs(Pod pod) {
        return pod.container != null && pod.container.isAlive();
    }

    private static void stop(Pod pod) {
        Process container = pod.container;
        if (container != null) {
            container.descendants().forEach(ProcessHandle::destroyForcibly);
            try {
                container.waitFor();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** What is wanted and is not there. */
    List<String> missing() {
        return pods.stream()
                .filter(pod -> pod != null && !runs(pod))
                .map(pod -> pod.name + " on " + pod.node.name + " has no volume")
                .toList();
    }

    private void create(String manifest) {
        for (ApiObject object : Manifests.read("workload", manifest)) {
            untilDone(() -> {
                try {
                    hosts.cluster.create(object);
                } catch (ClusterException failed) {
                    if (failed.reason() != ClusterException.Reason.ALREADY_EXISTS) {
                        throw failed;
                    }
                }
            });
        }
    }

    /** A member may be away, or the members may elect. */
    private static void untilDone(Runnable write) {
        for (int tries = 1; ; tries++) {
            try {
                write.run();
                return;
            } catch (ClusterException failed) {
                if (failed.reason() == ClusterException.Reason.NOT_FOUND) {
                    return;
                }
                if (tries == 60) {
                    throw failed;
                }
                Nemesis.pause(1);
            }
        }
    }
}
