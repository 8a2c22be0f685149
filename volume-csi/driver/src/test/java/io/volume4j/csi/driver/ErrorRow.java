package io.volume4j.csi.driver;

import io.grpc.Status.Code;
import java.util.function.Function;
import org.junit.jupiter.params.provider.Arguments;

/** One row of an error table: a call under some condition, and how it is answered. */
record ErrorRow(String rpc, String when, Code expected, Function<Fixture, Object> call) {
    static Arguments row(String rpc, String when, Code expected, Function<Fixture, Object> call) {
        return Arguments.of(rpc, when, expected, new ErrorRow(rpc, when, expected, call));
    }
}
