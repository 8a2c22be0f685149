package io.volume4j.csi.internal.client;

import io.volume4j.csi.internal.rpc.Rpc;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Is told of every call that is about to be sent and of its end, on the caller's thread. Must be thread-safe and quick. */
@FunctionalInterface
public interface RpcObserver {
    /** Takes no notice. */
    RpcObserver NONE = (rpc, request) -> failure -> {};

    /** A call begins; the request can be had as text without secrets. */
    Span begin(Rpc rpc, Supplier<String> request);

    /** One call that is under way. */
    @FunctionalInterface
    interface Span {
        /** It ended; null if it succeeded. */
        void end(@Nullable CsiException failure);
    }
}
