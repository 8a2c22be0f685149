package io.volume4j.inmemory.guide;

import io.volume4j.core.volumes.MountedPod;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * A class of a host, as docs/testing.md shows: it starts a job once its volumes are mounted. It takes the one method of the library
 * that it needs; in production that is {@code volumes::whenMounted} of a {@code VolumeManager}.
 */
final class JobStarter {
    private final Function<String, CompletableFuture<MountedPod>> whenMounted;
    private final Jobs jobs;

    /** What runs the host's jobs. */
    interface Jobs {
        void start(String podUid, Map<String, Path> volumes);

        void refuse(String podUid, String why);
    }

    JobStarter(Function<String, CompletableFuture<MountedPod>> whenMounted, Jobs jobs) {
        this.whenMounted = whenMounted;
        this.jobs = jobs;
    }

    /** Returns at once. */
    void submit(String podUid) {
        var unused = whenMounted.apply(podUid).whenComplete((mounted, failure) -> {
            if (failure != null) {
                jobs.refuse(podUid, String.valueOf(failure.getMessage()));
                return;
            }
            Map<String, Path> paths = new TreeMap<>();
            mounted.volumes().forEach((name, volume) -> paths.put(name, volume.path()));
            jobs.start(podUid, paths);
        });
    }
}
