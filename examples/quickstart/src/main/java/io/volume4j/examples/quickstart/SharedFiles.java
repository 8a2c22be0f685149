package io.volume4j.examples.quickstart;

import io.volume4j.core.volumes.MountedPod;
import io.volume4j.core.volumes.MountedPod.MountedVolume;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.mount.HostFiles;
import io.volume4j.spi.mount.RootedPath;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Shows that pods share a claim: writes through one pod's path and reads through the others' paths. Changes no other volumes. */
record SharedFiles(HostFiles files, Path root, Journey journey) {
    /** The pod that wrote, and the content. */
    private record Written(Pod pod, String content) {}

    /** @throws VolumeException final, if a pod does not see what another pod wrote */
    void share(Map<Pod, MountedPod> mounted) {
        Map<VolumeId, Written> writers = new LinkedHashMap<>();
        mounted.forEach((pod, volumes) -> volumes.volumes().forEach((name, volume) -> {
            Written writer = writers.get(volume.id());
            if (writer != null) {
                read(writer, pod, volume);
            } else if (!volume.readOnly() && isOfClaim(pod, name) && isDirectory(volume)) {
                writers.put(volume.id(), write(pod, volume));
            }
        }));
    }

    private static boolean isOfClaim(Pod pod, String name) {
        return pod.spec().volumes().stream()
                .filter(volume -> volume.name().equals(name))
                .anyMatch(volume -> !Scheduler.claimName(pod, volume).isEmpty());
    }

    private boolean isDirectory(MountedVolume volume) {
        return volume.path().startsWith(root)
                && files.status(path(volume))
                        .filter(status -> status.type() == HostFiles.FileStatus.Type.DIRECTORY)
                        .isPresent();
    }

    private Written write(Pod pod, MountedVolume volume) {
        String content = "written by pod " + pod.metadata().name() + "\n";
        RootedPath path = path(volume).resolve("hello.txt");
        files.writeAtomically(path, content.getBytes(StandardCharsets.UTF_8), 0644);
        journey.say("wrote through pod " + pod.metadata().name() + ": " + path);
        return new Written(pod, content);
    }

    private void read(Written writer, Pod reader, MountedVolume volume) {
        RootedPath path = path(volume).resolve("hello.txt");
        String found = files.read(path, 1024)
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .orElse("");
        if (!found.equals(writer.content())) {
            throw VolumeException.finalFailure("pod " + reader.metadata().name() + " does not see at " + path
                    + " what pod " + writer.pod().metadata().name() + " wrote");
        }
        journey.say("read through pod " + reader.metadata().name() + ":  " + path + ": " + found.strip());
    }

    private RootedPath path(MountedVolume volume) {
        return new RootedPath(root, root.relativize(volume.path()));
    }
}
