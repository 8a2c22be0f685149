package io.volume4j.csi.testing;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.volume4j.csi.internal.proto.metadata.BlockMetadata;
import io.volume4j.csi.internal.proto.metadata.GetMetadataAllocatedRequest;
import io.volume4j.csi.internal.proto.metadata.GetMetadataAllocatedResponse;
import io.volume4j.csi.internal.proto.metadata.GetMetadataDeltaRequest;
import io.volume4j.csi.internal.proto.metadata.SnapshotMetadataGrpc;
import io.volume4j.csi.internal.proto.metadata.SnapshotMetadataGrpc.SnapshotMetadataBlockingStub;
import io.volume4j.spi.plugin.SnapshotMetadata.Block;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.UnaryOperator;

/** A backup program that asks for the blocks of snapshots of the namespace {@code shop}. */
public final class BackupClient implements AutoCloseable {
    private final ManagedChannel channel;
    private final SnapshotMetadataBlockingStub stub;

    public BackupClient(InetSocketAddress server) {
        channel = Grpc.newChannelBuilderForAddress("127.0.0.1", server.getPort(), InsecureChannelCredentials.create())
                .build();
        stub = SnapshotMetadataGrpc.newBlockingStub(channel);
    }

    /** One response. */
    public record Part(long volumeBytes, List<Block> blocks) {}

    /** Asks as the user {@code reader}, for all from the first byte on, but for the change. */
    public List<Part> allocated(String snapshot, UnaryOperator<GetMetadataAllocatedRequest.Builder> change) {
        List<Part> parts = new ArrayList<>();
        begin(snapshot, change)
                .forEachRemaining(part -> parts.add(part(part.getVolumeCapacityBytes(), part.getBlockMetadataList())));
        return parts;
    }

    /** Asks the same, and takes nothing yet. */
    public Iterator<GetMetadataAllocatedResponse> begin(
            String snapshot, UnaryOperator<GetMetadataAllocatedRequest.Builder> change) {
        return stub.getMetadataAllocated(change.apply(GetMetadataAllocatedRequest.newBuilder()
                        .setSecurityToken("reader")
                        .setNamespace("shop")
                        .setSnapshotName(snapshot))
                .build());
    }

    public List<Part> changed(String base, String target) {
        List<Part> parts = new ArrayList<>();
        stub.getMetadataDelta(GetMetadataDeltaRequest.newBuilder()
                        .setSecurityToken("reader")
                        .setNamespace("shop")
                        .setBaseSnapshotName(base)
                        .setTargetSnapshotName(target)
                        .build())
                .forEachRemaining(part -> parts.add(part(part.getVolumeCapacityBytes(), part.getBlockMetadataList())));
        return parts;
    }

    private static Part part(long volumeBytes, List<BlockMetadata> blocks) {
        return new Part(
                volumeBytes,
                blocks.stream()
                        .map(block -> new Block(block.getByteOffset(), block.getSizeBytes()))
                        .toList());
    }

    /** How the question was answered. */
    public static Status statusOf(Runnable question) {
        try {
            question.run();
            return Status.OK;
        } catch (StatusRuntimeException failed) {
            return failed.getStatus();
        }
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
