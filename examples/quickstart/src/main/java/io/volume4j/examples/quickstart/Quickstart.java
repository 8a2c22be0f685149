package io.volume4j.examples.quickstart;

import io.volume4j.core.codec.ManifestException;
import io.volume4j.core.codec.Manifests;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.core.volumes.MountedPod.MountedVolume;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.mount.HostFiles;
import io.volume4j.spi.mount.RootedPath;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A claim becomes files on a mounted disk, and goes away without a trace. Prints each step as it happens; ends with 0 when
 * everything went well and nothing is left, with 1 when not, with 2 when it was asked for something wrong.
 */
public final class Quickstart {
    private static final Duration CLEAN_UP = Duration.ofSeconds(60);

    private final Arguments arguments;
    private final Journey journey;
    private final StopSignal stop;

    private Quickstart(Arguments arguments, PrintStream out, StopSignal stop) {
        this.arguments = arguments;
        this.journey = new Journey(out);
        this.stop = stop;
    }

    public static void main(String[] words) {
        StopSignal stop = new StopSignal();
        Thread main = Thread.currentThread();
        Thread hook = new Thread(
                () -> {
                    stop.ask();
                    stop.holdBack(main, CLEAN_UP.plusSeconds(10));
                },
                "quickstart-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        int code = run(words, System.out, System.err, stop);
        System.out.flush();
        // Ends the hook as well: one that ended by itself would let the signal say how the process ended.
        Runtime.getRuntime().halt(code);
    }

    /** The program without its process; the exit code. */
    static int run(String[] words, PrintStream out, PrintStream err, StopSignal stop) {
        try {
            Arguments arguments = Arguments.parse(words);
            if (arguments.help()) {
                out.print(Arguments.USAGE);
                return 0;
            }
            Quickstart quickstart = new Quickstart(arguments, out, stop);
            return quickstart.run(quickstart.read()) ? 0 : 1;
        } catch (Usage | ManifestException wrong) {
            err.println("error: " + line(String.valueOf(wrong.getMessage())));
            return 2;
        } catch (VolumeException failed) {
            err.println("error: " + line(String.valueOf(failed.getMessage())));
            return 1;
        } catch (ClusterException refused) {
            err.println("error: " + line(String.valueOf(refused.getMessage())));
            return 1;
        } catch (StopSignal.Stopped stopped) {
            err.println("stopped: everything was taken down again");
            return 130;
        }
    }

    private List<ApiObject> read() {
        if (arguments.files().isEmpty()) {
            try (InputStream bundled = Objects.requireNonNull(
                    Quickstart.class.getResourceAsStream("quickstart.yaml"), "bundled manifests")) {
                return Manifests.read("bundled manifests", bundled);
            } catch (IOException unreadable) {
                throw new IllegalStateException(unreadable);
            }
        }
        List<ApiObject> objects = new ArrayList<>();
        Map<ObjectKey, Path> seen = new LinkedHashMap<>();
        for (Path file : arguments.files()) {
            for (ApiObject object : read(file)) {
                Path before = seen.put(object.key(), file);
                if (before != null) {
                    throw new Usage(object.key() + " is in " + before + " and again in " + file);
                }
                objects.add(object);
            }
        }
        if (objects.isEmpty()) {
            throw new Usage("no objects in " + arguments.files());
        }
        return objects;
    }

    private static List<ApiObject> read(Path file) {
        try (InputStream manifests = Files.newInputStream(file)) {
            return Manifests.read(file.toString(), manifests);
        } catch (NoSuchFileException missing) {
            throw new Usage(file + ": there is no such file");
        } catch (IOException unreadable) {
            throw new Usage(file + ": cannot be read: " + unreadable.getMessage());
        }
    }

    private boolean run(List<ApiObject> manifests) {
        try (Machine machine = Machine.choose(arguments)) {
            return run(manifests, machine);
        }
    }

    private boolean run(List<ApiObject> manifests, Machine machine) {
        journey.say("volume4j quickstart on " + machine.name());
        journey.say("root " + arguments.root());
        machine.backend().files().createRoot(arguments.root());
        SavedCluster cluster = new SavedCluster(machine.backend().files(), arguments.root(), InstantSource.system());
        boolean earlier = cluster.load();
        try (Orchestrator orchestrator = new Orchestrator(machine, arguments.root(), cluster, journey)) {
            orchestrator.start();
            if (earlier) {
                journey.say("an earlier run left something: going on from there");
                finishDeletions(cluster, orchestrator);
            }
            try {
                up(manifests, machine, cluster, orchestrator);
            } finally {
                if (down(cluster, orchestrator)) {
                    cluster.discard();
                }
            }
        }
        return proveNothingIsLeft(machine);
    }

    /** What was being deleted when the earlier run died must be gone before anything of that name can come again. */
    private void finishDeletions(SavedCluster cluster, Orchestrator orchestrator) {
        for (ApiObject object : cluster.all()) {
            boolean volumes = object.kind() == Kind.PERSISTENT_VOLUME_CLAIM || object.kind() == Kind.PERSISTENT_VOLUME;
            if (volumes && object.metadata().deleting()) {
                await(orchestrator, object, orchestrator.whenGone(object.key()), "deleted");
            }
        }
    }

    private void up(List<ApiObject> manifests, Machine machine, SavedCluster cluster, Orchestrator orchestrator) {
        manifests.forEach(cluster::createMissing);
        orchestrator.schedule();
        Map<Pod, MountedPod> mounted = new LinkedHashMap<>();
        for (Pod pod : podsInOrder(manifests, orchestrator)) {
            mounted.put(pod, await(orchestrator, pod, orchestrator.whenMounted(pod), "mounted"));
        }
        requireBound(cluster, orchestrator);
        InstantSource clock = InstantSource.system();
        journey.table(
                "persistent volumes",
                Listings.volumes(cluster.all(Kind.PERSISTENT_VOLUME, PersistentVolume.class), clock.instant()));
        journey.table(
                "persistent volume claims",
                Listings.claims(
                        cluster.all(Kind.PERSISTENT_VOLUME_CLAIM, PersistentVolumeClaim.class), clock.instant()));
        journey.say("");
        share(machine.backend().files(), mounted);
    }

    /** The pods, those of the manifests first and in their order. */
    private static List<Pod> podsInOrder(List<ApiObject> manifests, Orchestrator orchestrator) {
        List<ObjectKey> order = manifests.stream().map(ApiObject::key).toList();
        List<Pod> pods = new ArrayList<>(orchestrator.pods());
        pods.sort(Comparator.comparingInt(pod -> order.contains(pod.key()) ? order.indexOf(pod.key()) : order.size()));
        return pods;
    }

    /** Claims that no pod uses must be bound as well, unless they wait for a pod on purpose. */
    private void requireBound(SavedCluster cluster, Orchestrator orchestrator) {
        for (PersistentVolumeClaim claim : cluster.all(Kind.PERSISTENT_VOLUME_CLAIM, PersistentVolumeClaim.class)) {
            if (claim.status().phase() != ClaimPhase.BOUND && !orchestrator.waitsForConsumer(claim)) {
                await(orchestrator, claim, orchestrator.whenBound(claim), "bound");
            }
        }
    }

    /** Writes through one pod's path what the other pods of the same volume then read through theirs. */
    private void share(HostFiles files, Map<Pod, MountedPod> mounted) {
        Map<VolumeId, Shared> writers = new LinkedHashMap<>();
        mounted.forEach((pod, volumes) -> volumes.volumes().values().forEach(volume -> {
            Shared writer = writers.get(volume.id());
            if (writer != null) {
                writer.readThrough(files, pod, volume);
            } else if (!volume.readOnly()) {
                writers.put(volume.id(), Shared.write(files, pod, volume, journey, arguments.root()));
            }
        }));
    }

    /** Takes everything down again; false if something stays, which is then for the next run. */
    private boolean down(SavedCluster cluster, Orchestrator orchestrator) {
        journey.say("");
        boolean gone = true;
        List<Pod> pods = orchestrator.pods();
        pods.forEach(pod -> cluster.remove(pod.key()));
        for (Pod pod : pods) {
            awaitDown(
                    orchestrator, pod, orchestrator.whenUnmounted(pod.metadata().uid()));
        }
        gone &= awaitNothingPresent(orchestrator);
        List<PersistentVolumeClaim> claims = cluster.all(Kind.PERSISTENT_VOLUME_CLAIM, PersistentVolumeClaim.class);
        claims.forEach(claim -> cluster.remove(claim.key()));
        for (PersistentVolumeClaim claim : claims) {
            gone &= awaitDown(orchestrator, claim, orchestrator.whenGone(claim.key()));
        }
        for (PersistentVolume volume : cluster.all(Kind.PERSISTENT_VOLUME, PersistentVolume.class)) {
            if (volume.spec().reclaimPolicy() == ReclaimPolicy.DELETE
                    && volume.spec().claimRef() != null) {
                gone &= awaitDown(orchestrator, volume, orchestrator.whenGone(volume.key()));
            }
        }
        return gone;
    }

    private boolean awaitNothingPresent(Orchestrator orchestrator) {
        try {
            orchestrator.whenNothingPresent().get(CLEAN_UP.toSeconds(), TimeUnit.SECONDS);
            return true;
        } catch (InterruptedException | ExecutionException | TimeoutException late) {
            journey.failed("clean up", "volumes are still attached: " + late);
            return false;
        }
    }

    private boolean proveNothingIsLeft(Machine machine) {
        List<String> leaks = LeakCheck.leaks(machine.backend(), arguments.root());
        if (leaks.isEmpty()) {
            journey.say("nothing is left: no mount, no loop device, no file");
            return true;
        }
        leaks.forEach(leak -> journey.say("LEFT BEHIND: " + leak));
        return false;
    }

    private <T> T await(Orchestrator orchestrator, ApiObject object, CompletableFuture<T> future, String what) {
        try {
            return stop.await(future, arguments.timeout());
        } catch (TimeoutException late) {
            throw VolumeException.transientFailure(object.key() + " not " + what + " within "
                    + arguments.timeout().toSeconds() + " s: " + orchestrator.why(object));
        } catch (VolumeException failed) {
            throw VolumeException.of(failed.kind(), object.key() + ": " + failed.reason())
                    .withAdvice(failed.advice());
        }
    }

    /** Cleaning up goes on when the person asks to stop: that is what she asked for. */
    private boolean awaitDown(Orchestrator orchestrator, ApiObject object, CompletableFuture<?> future) {
        try {
            future.get(CLEAN_UP.toSeconds(), TimeUnit.SECONDS);
            return true;
        } catch (InterruptedException | ExecutionException | TimeoutException late) {
            journey.failed("clean up", object.key() + ": " + orchestrator.why(object));
            return false;
        }
    }

    private static String line(String text) {
        return text.strip().replaceAll(":\\s*\\n\\s*", ": ").replaceAll("\\s*\\n\\s*", "; ");
    }

    /** What was written through one pod's path. */
    private record Shared(Pod pod, String content, Journey journey, Path root) {
        static Shared write(HostFiles files, Pod pod, MountedVolume volume, Journey journey, Path root) {
            String content = "written by pod " + pod.metadata().name() + "\n";
            RootedPath path = file(volume, root);
            files.writeAtomically(path, content.getBytes(StandardCharsets.UTF_8), 0644);
            journey.say("wrote through pod " + pod.metadata().name() + ": " + path);
            return new Shared(pod, content, journey, root);
        }

        void readThrough(HostFiles files, Pod reader, MountedVolume volume) {
            RootedPath path = file(volume, root);
            String found = files.read(path, 1024)
                    .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                    .orElse("");
            if (!found.equals(content)) {
                throw VolumeException.finalFailure("pod " + reader.metadata().name() + " does not see at " + path
                        + " what pod " + pod.metadata().name() + " wrote");
            }
            journey.say("read through pod " + reader.metadata().name() + ":  " + path + ": " + found.strip());
        }

        private static RootedPath file(MountedVolume volume, Path root) {
            return new RootedPath(root, root.relativize(volume.path())).resolve("hello.txt");
        }
    }
}
