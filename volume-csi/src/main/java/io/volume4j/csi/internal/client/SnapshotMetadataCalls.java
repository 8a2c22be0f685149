package io.volume4j.csi.internal.client;

import com.google.protobuf.Message;
import io.volume4j.csi.internal.proto.BlockMetadata;
import io.volume4j.csi.internal.proto.BlockMetadataType;
import io.volume4j.csi.internal.proto.GetMetadataAllocatedRequest;
import io.volume4j.csi.internal.proto.GetMetadataDeltaRequest;
import io.volume4j.csi.internal.proto.SnapshotMetadataGrpc;
import io.volume4j.csi.internal.rpc.Rpc;
import io.volume4j.csi.internal.rules.BlockStream;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * The calls for the blocks of a snapshot that contain data or have changed. Continues a broken stream behind the last
 * received byte, as long as each continuation makes progress. A stream that breaks behind the last byte of the volume is
 * complete. If the driver then repeats blocks, the sink gets them
 * twice. Thread-safe.
 */
public final class SnapshotMetadataCalls {
    private final GatedCaller caller;

    SnapshotMetadataCalls(GatedCaller caller) {
        this.caller = caller;
    }

    /** Receives the blocks in ascending order. */
    @FunctionalInterface
    public interface BlockSink {
        void accept(BlockMetadataType style, long volumeCapacity, List<BlockMetadata> blocks);
    }

    /** The blocks that contain data. */
    public void getMetadataAllocated(GetMetadataAllocatedRequest request, CallContext context, BlockSink sink) {
        BlockStream stream = new BlockStream(request.getStartingOffset());
        continuing(stream, offset -> {
            GetMetadataAllocatedRequest part =
                    request.toBuilder().setStartingOffset(offset).build();
            caller.stream(
                    Rpc.GET_METADATA_ALLOCATED,
                    SnapshotMetadataGrpc.getGetMetadataAllocatedMethod(),
                    part,
                    context,
                    reply -> pass(
                            Rpc.GET_METADATA_ALLOCATED,
                            part,
                            reply,
                            stream,
                            new Part(
                                    reply.getBlockMetadataType(),
                                    reply.getVolumeCapacityBytes(),
                                    reply.getBlockMetadataList()),
                            sink));
        });
    }

    /** The blocks that differ between two snapshots. */
    public void getMetadataDelta(GetMetadataDeltaRequest request, CallContext context, BlockSink sink) {
        BlockStream stream = new BlockStream(request.getStartingOffset());
        continuing(stream, offset -> {
            GetMetadataDeltaRequest part =
                    request.toBuilder().setStartingOffset(offset).build();
            caller.stream(
                    Rpc.GET_METADATA_DELTA,
                    SnapshotMetadataGrpc.getGetMetadataDeltaMethod(),
                    part,
                    context,
                    reply -> pass(
                            Rpc.GET_METADATA_DELTA,
                            part,
                            reply,
                            stream,
                            new Part(
                                    reply.getBlockMetadataType(),
                                    reply.getVolumeCapacityBytes(),
                                    reply.getBlockMetadataList()),
                            sink));
        });
    }

    private static void continuing(BlockStream stream, LongConsumer from) {
        while (true) {
            long begin = stream.resumeAt();
            try {
                from.accept(begin);
                return;
            } catch (CsiException e) {
                if (e.kind() != FailureKind.TRANSIENT || e.code() == io.grpc.Status.Code.OK) {
                    throw e;
                }
                if (stream.reachedEnd()) {
                    return;
                }
                if (stream.resumeAt() == begin) {
                    throw e;
                }
                stream.resumed();
            }
        }
    }

    private void pass(Rpc rpc, Message request, Message reply, BlockStream stream, Part part, BlockSink sink) {
        List<String> complaints = stream.accept(part.style, part.capacity, part.blocks);
        if (!complaints.isEmpty()) {
            throw CsiException.incredible(rpc, request, caller.driver(), complaints, reply);
        }
        sink.accept(part.style, part.capacity, part.blocks);
    }

    private record Part(BlockMetadataType style, long capacity, List<BlockMetadata> blocks) {}
}
