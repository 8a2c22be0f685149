package io.volume4j.csi.internal.plugin;

import io.volume4j.csi.internal.client.SnapshotMetadataCalls;
import io.volume4j.csi.internal.plugin.ClassParameters.SecretUse;
import io.volume4j.csi.internal.proto.GetMetadataAllocatedRequest;
import io.volume4j.csi.internal.proto.GetMetadataDeltaRequest;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.plugin.SnapshotMetadata;

/** Reports the blocks of a snapshot that contain data or have changed; continues broken streams. */
public final class MetadataSide implements SnapshotMetadata {
    private final Driver driver;
    private final Secrets secrets;

    public MetadataSide(Driver driver) {
        this.driver = driver;
        this.secrets = new Secrets(() -> driver.host().secrets());
    }

    @Override
    public void allocated(AllocatedRequest request, BlockSink sink, CallContext context) {
        ClassParameters parameters = ClassParameters.of(request.parameters(), request.handle(), null);
        secrets.with(parameters.secret(SecretUse.SNAPSHOTTER).orElse(null), values -> {
            driver.controller()
                    .metadata()
                    .getMetadataAllocated(
                            GetMetadataAllocatedRequest.newBuilder()
                                    .setSnapshotId(request.handle())
                                    .setStartingOffset(request.startingOffset())
                                    .putAllSecrets(values)
                                    .build(),
                            context,
                            into(sink));
            return sink;
        });
    }

    @Override
    public void changed(ChangedRequest request, BlockSink sink, CallContext context) {
        ClassParameters parameters = ClassParameters.of(request.parameters(), request.targetHandle(), null);
        secrets.with(parameters.secret(SecretUse.SNAPSHOTTER).orElse(null), values -> {
            driver.controller()
                    .metadata()
                    .getMetadataDelta(
                            GetMetadataDeltaRequest.newBuilder()
                                    .setBaseSnapshotId(request.baseHandle())
                                    .setTargetSnapshotId(request.targetHandle())
                                    .setStartingOffset(request.startingOffset())
                                    .putAllSecrets(values)
                                    .build(),
                            context,
                            into(sink));
            return sink;
        });
    }

    private static SnapshotMetadataCalls.BlockSink into(BlockSink sink) {
        return (style, capacity, blocks) -> sink.accept(
                capacity,
                blocks.stream()
                        .map(block -> new Block(block.getByteOffset(), block.getSizeBytes()))
                        .toList());
    }
}
