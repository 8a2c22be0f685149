package io.volume4j.inmemory.chaos;

import io.volume4j.core.grants.AttacherName;
import io.volume4j.inmemory.sim.HostPorts;
import io.volume4j.inmemory.sim.HostProgram;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.plugin.Attacher.AttachRequest;
import io.volume4j.spi.plugin.Detacher.DetachRequest;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A model of the external-attacher of the driver {@code mem}. It knows nothing of this library's marks, and attaches whatever
 * VolumeAttachment has its driver's name:
 *
 * <ul>
 *   <li>One that is not attached it keeps by its finalizer, with its PersistentVolume, then attaches it and says so. One that says
 *       already that it is attached it leaves as it is.
 *   <li>Like an informer's, its rounds ask for nothing while nothing in the cluster changes.
 *   <li>One that is being deleted it detaches, but only if it has the finalizer: without that it counts as detached.
 * </ul>
 */
final class ForeignAttacher implements HostProgram {
    private static final String DRIVER = "mem";
    private static final String FINALIZER = AttacherName.finalizer(DRIVER);
    private static final Duration ROUND = Duration.ofMillis(200);

    private final String name;

    /** @param name of the program in its world */
    ForeignAttacher(String name) {
        this.name = name;
    }

    @Override
    public void start(HostPorts ports) {
        VolumePlugin plugin =
                ports.world().pluginsOf(ports.world().program(name)).get(0);
        new Incarnation(ports, plugin).next();
    }

    private static final class Incarnation {
        private final HostPorts ports;
        private final VolumePlugin plugin;
        /** The cluster's revision before a round in which nothing failed. */
        private String settledAt = "";

        Incarnation(HostPorts ports, VolumePlugin plugin) {
            this.ports = ports;
            this.plugin = plugin;
        }

        void next() {
            long millis = 1 + ports.random().nextLong(2 * ROUND.toMillis());
            ports.later(Duration.ofMillis(millis), this::begin);
        }

        private void begin() {
            if (settledAt.equals(ports.world().cluster().revision())) {
                next();
            } else {
                ports.workers().execute(this::round);
            }
        }

        private void round() {
            String revision = ports.world().cluster().revision();
            settledAt = "";
            try {
                for (ApiObject object : ports.cluster()
                        .list(Kind.VOLUME_ATTACHMENT, Selection.all())
                        .objects()) {
                    VolumeAttachment record = (VolumeAttachment) object;
                    if (!record.spec().attacher().equals(DRIVER)) {
                        continue;
                    }
                    if (record.metadata().deleting()) {
                        detach(record);
                    } else if (!record.status().attached()) {
                        attach(record);
                    }
                }
                settledAt = revision;
            } catch (ClusterException | VolumeException failed) {
                // the next round begins anew
            }
            ports.loop().execute(this::next);
        }

        private void attach(VolumeAttachment record) {
            PersistentVolume volume = volume(record);
            if (volume == null || volume.metadata().deleting()) {
                return;
            }
            keep(volume);
            keep(record);
            plugin.attacher(spec(volume))
                    .orElseThrow()
                    .attach(
                            new AttachRequest(
                                    spec(volume), id(volume), record.spec().nodeName(), false, PluginState.none()),
                            new Patient());
            ports.writer()
                    .patch(
                            record.key(),
                            new Patch(
                                    new Preconditions(record.metadata().uid(), ""),
                                    true,
                                    List.of(
                                            FieldChange.set(true, "status", "attached"),
                                            FieldChange.set(Map.of(), "status", "attachmentMetadata"))));
        }

        private void detach(VolumeAttachment record) {
            PersistentVolume volume = volume(record);
            if (volume == null || !record.metadata().finalizers().contains(FINALIZER)) {
                return;
            }
            plugin.detacher(id(volume))
                    .orElseThrow()
                    .detach(
                            new DetachRequest(id(volume), record.spec().nodeName(), "", PluginState.none()),
                            new Patient());
            List<String> finalizers = new ArrayList<>(record.metadata().finalizers());
            finalizers.remove(FINALIZER);
            finalizers(record, finalizers);
        }

        private void keep(ApiObject object) {
            if (!object.metadata().finalizers().contains(FINALIZER)) {
                List<String> finalizers = new ArrayList<>(object.metadata().finalizers());
                finalizers.add(FINALIZER);
                finalizers(object, finalizers);
            }
        }

        private void finalizers(ApiObject object, List<String> finalizers) {
            ports.writer()
                    .patch(
                            object.key(),
                            new Patch(
                                    Preconditions.of(object.metadata()),
                                    false,
                                    List.of(FieldChange.set(finalizers, "metadata", "finalizers"))));
        }

        private PersistentVolume volume(VolumeAttachment record) {
            return (PersistentVolume) ports.cluster()
                    .readLive(ObjectKey.volume(record.spec().persistentVolumeName()))
                    .orElse(null);
        }

        private static VolumeSpec spec(PersistentVolume volume) {
            return new VolumeSpec(volume.metadata().name(), volume.spec().source(), volume, false);
        }

        private static VolumeId id(PersistentVolume volume) {
            return VolumeId.shared(DRIVER, ((CsiSource) volume.spec().source()).volumeHandle());
        }
    }

    /** Calls of this model take no time. */
    private static final class Patient implements CallContext {
        @Override
        public String operationId() {
            return "foreign";
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
