package io.volume4j.csi.internal.client;

import io.volume4j.csi.internal.rpc.Rpc;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Observes each call: the caller's thread reports its begin and its end. Must be thread-safe and fast. */
@FunctionalInterface
public interface RpcObserver {
    /** Ignores all calls. */
    RpcObserver NONE = (rpc, request) -> failure -> {};

    /** A call begins; the supplier returns the request as text without secrets. */
    Span begin(Rpc rpc, Supplier<String> request);

    /** One running call. */
    @FunctionalInterface
    interface Span {
        /** The call ended; null if it succeeded. */
        void end(@Nullable CsiException failure);
    }
}
