package io.volume4j.core.plugins.loop;

import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.SelectorRequirement;
import io.volume4j.spi.model.TypedReference;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.Deleter;
import io.volume4j.spi.plugin.Provisioner;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Creates and deletes images. */
public final class LoopProvisioner implements Provisioner, Deleter {
    public static final List<AccessMode> ACCESS_MODES =
            List.of(AccessMode.READ_WRITE_ONCE, AccessMode.READ_WRITE_ONCE_POD);

    private final LoopImages images;
    /** Resolves the data source of a claim in a namespace; null if the host cannot. */
    private final @Nullable BiFunction<String, TypedReference, Optional<ContentSource>> dataSources;

    public LoopProvisioner(
            LoopImages images, @Nullable BiFunction<String, TypedReference, Optional<ContentSource>> dataSources) {
        this.images = images;
        this.dataSources = dataSources;
    }

    @Override
    public ProvisionResult provision(ProvisionRequest request, CallContext context) {
        PersistentVolumeClaim.Spec claim = request.claim().spec();
        LoopParameters parameters = LoopParameters.of(request.storageClass(), claim.volumeMode());
        requireAccessModes(claim);
        ContentSource content = content(request);
        requireHere(request.selectedNode());
        requireFormat(parameters.fsType());
        long bytes = parameters.size(request.requestedBytes(), request.limitBytes());
        CsiSource source = CsiSource.of(LoopImages.PLUGIN, request.volumeName(), parameters.fsType(), Map.of());
        if (content == null) {
            images.create(images.file(source), bytes);
        } else {
            fill(content, source, bytes, context);
        }
        ProvisionResult result = ProvisionResult.of(source, bytes);
        return images.nodeName().isEmpty() ? result : result.onlyOn(thisNode());
    }

    @Override
    public void delete(DeleteRequest request, CallContext context) {
        RootedPath file = images.file(request.source());
        Optional<Path> device = images.backend().loops().find(file);
        if (device.isPresent()) {
            throw VolumeException.of(FailureKind.IN_USE, "loop image " + file + " is still attached as " + device.get())
                    .withAdvice("it is deleted once it is detached");
        }
        images.backend().files().removeFile(file);
        images.unmarkOutgrown(file);
    }

    /** Copies a snapshot or a detached volume, and expands the copy if the claim requests more. */
    private void fill(ContentSource content, CsiSource source, long bytes, CallContext context) {
        RootedPath from = content.kind() == ContentSource.Kind.SNAPSHOT
                ? new LoopSnapshots(images).file(content.handle())
                : images.file(CsiSource.of(LoopImages.PLUGIN, content.handle(), "", Map.of()));
        long size = images.requireSize(from);
        if (size > bytes) {
            throw VolumeException.of(
                    FailureKind.INFEASIBLE,
                    "a volume of " + LoopImages.shown(bytes) + " cannot hold the " + LoopImages.shown(size) + " of "
                            + from);
        }
        RootedPath image = images.file(source);
        Optional<Long> there = images.size(image);
        if (there.isPresent() && there.get() != size && there.get() != bytes) {
            throw VolumeException.finalFailure("loop image " + image + " is there already with "
                    + LoopImages.shown(there.get()) + " where " + LoopImages.shown(bytes) + " were asked for");
        }
        images.prepareDirectory();
        if (size < bytes) {
            images.markOutgrown(image);
        }
        images.copy(from, image, context);
        images.backend().files().growFile(image, bytes);
    }

    /** The source of the volume's content: from the request, or resolved from the claim. */
    private @Nullable ContentSource content(ProvisionRequest request) {
        PersistentVolumeClaim.Spec claim = request.claim().spec();
        TypedReference named = claim.dataSourceRef() != null ? claim.dataSourceRef() : claim.dataSource();
        if (request.content() != null || named == null) {
            return request.content();
        }
        if (dataSources == null) {
            throw VolumeException.finalFailure("loop volumes are made empty; filling one from a data source is not"
                            + " possible, and leaving the data out is not what was asked for")
                    .withAdvice("give the loop plugin the host's data sources");
        }
        return dataSources
                .apply(request.claim().metadata().namespace(), named)
                .orElseThrow(() -> VolumeException.transientFailure(
                                "the claim's data source, " + named.kind() + " " + MessageText.text(named.name())
                                        + ", does not exist, is not ready or is no loop volume's")
                        .withAdvice("create it, or see whether it is ready to use"));
    }

    private static void requireAccessModes(PersistentVolumeClaim.Spec claim) {
        if (!ACCESS_MODES.containsAll(claim.accessModes())) {
            throw VolumeException.of(
                    FailureKind.INFEASIBLE,
                    "a loop volume is reached from one node only, so of the access modes "
                            + claim.accessModes().stream()
                                    .map(AccessMode::apiName)
                                    .toList() + " it has only "
                            + ACCESS_MODES.stream().map(AccessMode::apiName).toList());
        }
    }

    /** Fails if another node was selected: only the process on that node can create the image. */
    private void requireHere(@Nullable Node selected) {
        if (selected != null && !images.isHere(selected.metadata().name())) {
            throw VolumeException.of(
                    FailureKind.EXHAUSTED,
                    "loop volumes made here are reached only on node " + images.nodeName() + ", and node "
                            + MessageText.text(selected.metadata().name()) + " was chosen");
        }
    }

    private void requireFormat(String fsType) {
        if (!fsType.isEmpty() && !images.backend().abilities().formats().contains(fsType)) {
            throw VolumeException.finalFailure("no volume with filesystem " + fsType + ": mkfs." + fsType
                            + " was not found on this machine")
                    .withAdvice("install it, or use a class with one of "
                            + images.backend().abilities().formats());
        }
    }

    private NodeSelector thisNode() {
        return new NodeSelector(List.of(new NodeSelector.Term(
                List.of(), List.of(new SelectorRequirement("metadata.name", "In", List.of(images.nodeName()))))));
    }
}
