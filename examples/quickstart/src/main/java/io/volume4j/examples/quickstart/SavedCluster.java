package io.volume4j.examples.quickstart;

import io.volume4j.core.codec.Manifests;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.host.ManualClock;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.mount.HostFiles;
import io.volume4j.spi.mount.RootedPath;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The in-memory cluster, with every write saved to a file before it is acknowledged: what an API server's store is to a real
 * orchestrator, so that a second run knows what the first was about. Thread-safe.
 */
final class SavedCluster implements ClusterWriter {
    private static final int LARGEST = 1 << 20;

    private final ManualClock clock;
    private final InstantSource realTime;
    private final InMemoryCluster cluster;
    private final HostFiles files;
    private final RootedPath file;

    SavedCluster(HostFiles files, Path root, InstantSource realTime) {
        this.files = files;
        this.file = RootedPath.of(root, "cluster.yaml");
        this.realTime = realTime;
        this.clock = new ManualClock(realTime.instant());
        this.cluster = InMemoryCluster.builder()
                .clock(clock)
                .uids(() -> UUID.randomUUID().toString())
                .build();
    }

    InMemoryCluster source() {
        return cluster;
    }

    /** Takes over what an earlier run saved; false if there is nothing. */
    boolean load() {
        String saved = files.read(file, LARGEST)
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .orElse("");
        if (saved.isBlank()) {
            return false;
        }
        Manifests.read(file.toString(), saved).forEach(cluster::apply);
        return true;
    }

    /** Creates what is not there yet; what is there stays as it is. */
    synchronized void createMissing(ApiObject object) {
        if (cluster.get(object.key()).isEmpty()) {
            tick();
            cluster.apply(object);
            save();
        }
    }

    synchronized void remove(ObjectKey key) {
        tick();
        cluster.remove(key);
        save();
    }

    /** All objects of the kind, by name. */
    <T extends ApiObject> List<T> all(Kind kind, Class<T> type) {
        return cluster.snapshot().values().stream()
                .filter(object -> object.kind() == kind)
                .map(type::cast)
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /** Forgets what was saved: nothing is left that a later run would have to know. */
    synchronized void discard() {
        files.removeFile(file);
    }

    @Override
    public synchronized ApiObject create(ApiObject object) {
        tick();
        ApiObject stored = cluster.create(object);
        save();
        return stored;
    }

    @Override
    public synchronized ApiObject patch(ObjectKey key, Patch patch) {
        tick();
        ApiObject stored = cluster.patch(key, patch);
        save();
        return stored;
    }

    @Override
    public synchronized void delete(ObjectKey key, Preconditions preconditions) {
        tick();
        cluster.delete(key, preconditions);
        save();
    }

    private void tick() {
        Duration passed = Duration.between(clock.instant(), realTime.instant());
        if (!passed.isNegative() && !passed.isZero()) {
            clock.advance(passed);
        }
    }

    private void save() {
        String text = cluster.export().stream().map(Manifests::toYaml).collect(Collectors.joining("---\n"));
        files.writeAtomically(file, text.getBytes(StandardCharsets.UTF_8), 0600);
    }
}
