package io.volume4j.examples.agent.hosts;

import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
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
 * Claims that grow, and are deleted and made anew, some from {@link Snapshots}; whose pods move from node to node; and the containers of these
 * pods: a process on the pod's node that writes its pod's name and a number, line by line, to a file of the volume. The container of a
 * pod that is deleted is stopped before, where its node can be reached; on a node that is cut off it writes on, because its node hears of
 * nothing.
 */
final class Workload {
    private static final String WRITES =
            "exec 3>>\"$1\"; i=0; while :; do i=$((i+1)); echo \"$2 $i\" >&3; sleep 0.3; done";

    private final Hosts hosts;
    private final RandomGenerator random;
    private final Snapshots snapshots;
    private final List<Claim> claims = new ArrayList<>();
    private final List<Pod> containers = new ArrayList<>();
    private int made;
    private int claimed;

    /** A claim of a size, and its pod. */
    private static final class Claim {
        final ObjectKey key;
        int mebibytes;

        @Nullable
        Pod pod;

        Claim(ObjectKey key) {
            this.key = key;
        }
    }

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

    Workload(Hosts hosts, RandomGenerator random, int count) {
        this.hosts = hosts;
        this.random = random;
        snapshots = new Snapshots(hosts, random);
        hosts.create("""
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: shared}
                provisioner: %s
                allowVolumeExpansion: true
                """.formatted(Hosts.DRIVER));
        for (int i = 0; i < count; i++) {
            claims.add(claim(""));
            move(claims.get(i));
        }
    }

    /** Mostly deletes the pod of a claim and makes another one on another node; or does something else to the claim. */
    void changeOne() {
        int at = random.nextInt(claims.size());
        Claim claim = claims.get(at);
        switch (random.nextInt(10)) {
            case 0, 1 -> grow(claim);
            case 2, 3 -> snapshots.make(claim.key);
            case 4 -> snapshots.deleteOne();
            case 5 -> {
                leave(claim);
                snapshots.claimGoes(claim.key);
                hosts.delete(claim.key);
                System.out.println("workload: " + claim.key.name() + " is deleted");
                claims.set(at, claim(snapshots.anyReady()));
                move(claims.get(at));
            }
            default -> move(claim);
        }
    }

    void moveAllFrom(Host node) {
        for (Claim claim : claims) {
            if (claim.pod != null && claim.pod.node == node) {
                move(claim);
            }
        }
    }

    /** @param from the snapshot that it is filled from, {@code ""} for none */
    private Claim claim(String from) {
        String name = "claim-" + claimed++;
        // a snapshot of a volume that had grown needs as much
        int mebibytes = from.isEmpty() ? 1 : snapshots.mebibytes(from);
        hosts.create("""
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: NAME, uid: NAME}
                spec:
                  storageClassName: shared
                  accessModes: [ReadWriteOnce]
                  resources: {requests: {storage: SIZEMi}}
                  SOURCE
                """.replace("NAME", name).replace("SIZE", Integer.toString(mebibytes)).replace(
                "SOURCE",
                from.isEmpty()
                        ? ""
                        : "dataSource: {apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: " + from + "}"));
        Claim claim = new Claim(ObjectKey.claim("default", name));
        claim.mebibytes = mebibytes;
        if (!from.isEmpty()) {
            snapshots.filled(from, claim.key);
        }
        return claim;
    }

    private void grow(Claim claim) {
        claim.mebibytes++;
        System.out.println("workload: " + claim.key.name() + " is to have " + claim.mebibytes + " MiB");
        hosts.untilDone(() -> hosts.cluster.patch(
                claim.key,
                new Patch(
                        Preconditions.none(),
                        false,
                        List.of(Patch.FieldChange.set(
                                claim.mebibytes + "Mi", "spec", "resources", "requests", "storage")))));
    }

    private void leave(Claim claim) {
        Pod old = claim.pod;
        if (old != null) {
            old.deleted = true;
            if (!old.node.isCut()) {
                stop(old);
            }
            hosts.delete(ObjectKey.pod("default", old.name));
        }
    }

    private void move(Claim claim) {
        Pod old = claim.pod;
        List<Host> others = hosts.nodes.stream()
                .filter(each -> old == null || each != old.node)
                .toList();
        Pod pod = new Pod("p" + ++made, others.get(random.nextInt(others.size())));
        leave(claim);
        hosts.create("""
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
                      persistentVolumeClaim: {claimName: %s}
                """.formatted(pod.name, pod.name, pod.node.name, claim.key.name()));
        System.out.println("workload: " + claim.key.name() + " goes to " + pod.name + " on " + pod.node.name);
        claim.pod = pod;
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

    /** What is wanted and is not there, and what is there and is not wanted. */
    List<String> missing() {
        List<String> missing = new ArrayList<>(snapshots.missing());
        for (Claim claim : claims) {
            Pod pod = claim.pod;
            if (pod != null && !runs(pod)) {
                missing.add(pod.name + " on " + pod.node.name + " has no volume");
            }
            long has = hosts.read(claim.key)
                    .map(each -> ((PersistentVolumeClaim) each).status().capacity())
                    .map(Quantity::bytes)
                    .orElse(0L);
            if (has < (long) claim.mebibytes << 20) {
                missing.add(claim.key.name() + " has " + has + " bytes and not " + claim.mebibytes + " MiB");
            }
        }
        int volumes = hosts.driver.inventory().volumes().size();
        if (volumes != claims.size()) {
            missing.add("there are " + volumes + " volumes for " + claims.size() + " claims");
        }
        return missing;
    }

    /** What snapshots hold wrongly. */
    List<String> wrong() {
        return snapshots.wrong();
    }
}
