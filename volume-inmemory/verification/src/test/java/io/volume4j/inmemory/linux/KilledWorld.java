package io.volume4j.inmemory.linux;

import io.volume4j.core.codec.Manifests;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.LoopPlugin;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.Container.VolumeMount;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.plugin.Deleter.DeleteRequest;
import io.volume4j.spi.plugin.Provisioner.ProvisionRequest;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What is wanted of the agent that is killed: bound volumes, which are made here as a control plane would, and pods that use them. */
final class KilledWorld {
    /** Of pods with a user namespace of their own. */
    static final long FIRST_ID = 100_000;

    static final long IDS = 65_536;

    private static final String NAMESPACE = "default";
    private static final Quantity SIZE = Quantity.parse("16Mi");
    private static final List<AccessMode> MODES = List.of(AccessMode.READ_WRITE_ONCE);
    private static final int MOST_VOLUMES = 4;
    private static final int MOST_PODS = 4;

    private final Random random;
    private final String node;
    private final LoopPlugin plugin = new LoopPlugin();
    private final List<String> volumes = new ArrayList<>();
    /** By UID: the volumes of each pod. */
    private final Map<String, Set<String>> pods = new TreeMap<>();

    private int numbers;

    /** A volume that a pod has mounted. */
    record Use(String podUid, int number, String volume) {
        Path mount(Path root) {
            return root.resolve("pods")
                    .resolve(podUid)
                    .resolve("volumes")
                    .resolve(LoopPlugin.NAME)
                    .resolve("v" + number);
        }

        /** Whether its pod has a user namespace of its own. */
        boolean mapped() {
            return ownUsers(podUid);
        }

        /** Where such a pod sees the volume. */
        Path view(Path root) {
            return root.resolve("pods")
                    .resolve(podUid)
                    .resolve("volume-subpaths")
                    .resolve("v" + number)
                    .resolve(".ids")
                    .resolve("v" + number);
        }
    }

    /** Every second pod. */
    private static boolean ownUsers(String podUid) {
        return podUid.hashCode() % 2 == 0;
    }

    private final Path root;

    KilledWorld(Path root, String node, MountBackend machine, Random random) {
        this.root = root;
        this.node = node;
        this.random = random;
        PluginRegistry registry = PluginRegistry.builder(DefaultPluginHost.builder(root)
                        .nodeName(node)
                        .mounts(machine)
                        .build())
                .plugin(plugin)
                .build();
        if (registry.byName(LoopPlugin.NAME).isEmpty()) {
            throw new IllegalStateException("no loop plugin");
        }
        for (int i = 0; i < 2; i++) {
            newVolume();
        }
        change();
    }

    /** Some pods go, others come, and now and then there is a volume that is not formatted yet. */
    void change() {
        pods.keySet().removeIf(uid -> random.nextBoolean());
        if (volumes.size() < MOST_VOLUMES) {
            newVolume();
        } else if (random.nextInt(4) == 0) {
            volumes.stream()
                    .filter(volume -> !volumesWanted().contains(volume))
                    .findFirst()
                    .ifPresent(retired -> {
                        volumes.remove(retired);
                        this.retired.add(retired);
                        newVolume();
                    });
        }
        while (pods.size() < 1 + random.nextInt(MOST_PODS)) {
            Set<String> wanted = new LinkedHashSet<>();
            int number = 1 + random.nextInt(2);
            while (wanted.size() < number) {
                wanted.add(volumes.get(random.nextInt(volumes.size())));
            }
            pods.put("uid-" + numbers++, wanted);
        }
    }

    /** Volumes that no pod gets any more; deleted at the end, when nothing holds them. */
    private final List<String> retired = new ArrayList<>();

    void wantNothing() {
        pods.clear();
    }

    void deleteVolumes() {
        for (String volume : List.copyOf(volumes)) {
            delete(volume);
        }
        for (String volume : retired) {
            delete(volume);
        }
        volumes.clear();
        retired.clear();
    }

    private void delete(String volume) {
        PersistentVolumeClaim claim = claim(volume);
        plugin.deleter(VolumeSpec.of(persistentVolume(volume, claim), false))
                .orElseThrow()
                .delete(new DeleteRequest(volume, source(volume)), new Once());
    }

    private void newVolume() {
        String volume = "volume-" + numbers++;
        StorageClass storageClass = new StorageClass(
                ObjectMeta.named("", "loop"),
                LoopPlugin.NAME,
                Map.of(),
                ReclaimPolicy.DELETE,
                List.of(),
                false,
                VolumeBindingMode.IMMEDIATE,
                null,
                Unmodeled.none());
        plugin.provisioner(storageClass)
                .orElseThrow()
                .provision(
                        new ProvisionRequest(volume, claim(volume), storageClass, SIZE.bytes(), 0, null), new Once());
        volumes.add(volume);
    }

    /** All objects that there are. */
    String manifests() {
        List<ApiObject> all = new ArrayList<>();
        all.add(new Node(
                ObjectMeta.named("", node).withUid("uid-" + node),
                new Node.Spec(List.of()),
                new Node.Status(true, List.of(), List.of(), Map.of()),
                Unmodeled.none()));
        for (String volume : volumes) {
            PersistentVolumeClaim claim = claim(volume);
            all.add(claim);
            all.add(persistentVolume(volume, claim));
        }
        pods.forEach((uid, wanted) -> all.add(pod(uid, List.copyOf(wanted))));
        return all.stream().map(Manifests::toYaml).collect(Collectors.joining("---\n"));
    }

    private static CsiSource source(String volume) {
        return CsiSource.of(LoopPlugin.NAME, volume, "ext4", Map.of());
    }

    private static PersistentVolumeClaim claim(String volume) {
        return new PersistentVolumeClaim(
                ObjectMeta.named(NAMESPACE, volume).withUid("uid-of-claim-" + volume),
                new PersistentVolumeClaim.Spec(MODES, SIZE, "", VolumeMode.FILESYSTEM, volume, null, null, null, ""),
                new PersistentVolumeClaim.Status(ClaimPhase.BOUND, MODES, SIZE, Map.of(), Map.of(), ""),
                Unmodeled.none());
    }

    private static PersistentVolume persistentVolume(String volume, PersistentVolumeClaim claim) {
        return new PersistentVolume(
                ObjectMeta.named("", volume).withUid("uid-of-" + volume),
                new PersistentVolume.Spec(
                        SIZE,
                        MODES,
                        ReclaimPolicy.RETAIN,
                        "",
                        VolumeMode.FILESYSTEM,
                        ObjectReference.to(claim),
                        List.of(),
                        null,
                        "",
                        source(volume)),
                new PersistentVolume.Status(VolumePhase.BOUND, "", ""),
                Unmodeled.none());
    }

    private Pod pod(String uid, List<String> wanted) {
        List<PodVolume> sources = new ArrayList<>();
        List<VolumeMount> mounts = new ArrayList<>();
        for (int i = 0; i < wanted.size(); i++) {
            sources.add(new PodVolume("v" + i, new ClaimSource(wanted.get(i), false)));
            mounts.add(new VolumeMount("v" + i, "/data/" + i, "", false, "", ""));
        }
        return new Pod(
                ObjectMeta.named(NAMESPACE, "pod-of-" + uid).withUid(uid),
                Pod.Spec.builder()
                        .nodeName(node)
                        .volumes(sources)
                        .containers(List.of(new Container("main", mounts, List.of(), Map.of(), Map.of())))
                        .hostUsers(!ownUsers(uid))
                        .build(),
                new Pod.Status(PodPhase.PENDING, List.of()),
                Unmodeled.none());
    }

    List<Use> uses() {
        List<Use> all = new ArrayList<>();
        pods.forEach((uid, wanted) -> {
            int number = 0;
            for (String volume : wanted) {
                all.add(new Use(uid, number++, volume));
            }
        });
        return all;
    }

    Set<Path> podMounts() {
        Set<Path> mounts = new HashSet<>();
        for (Use use : uses()) {
            mounts.add(use.mount(root));
            if (use.mapped()) {
                mounts.add(use.view(root));
            }
        }
        return mounts;
    }

    Set<String> volumesWanted() {
        return pods.values().stream().flatMap(Set::stream).collect(Collectors.toSet());
    }

    Set<String> podUids() {
        return new HashSet<>(pods.keySet());
    }

    /** Of a call without a near deadline that no caller cancels. */
    private static final class Once implements CallContext {
        @Override
        public String operationId() {
            return "made-by-the-test";
        }

        @Override
        public int attempt() {
            return 1;
        }

        @Override
        public Duration remaining() {
            return Duration.ofMinutes(1);
        }

        @Override
        public boolean cancelled() {
            return false;
        }

        @Override
        public void onCancel(Runnable action) {}

        @Override
        public void progress(String message) {}
    }
}
