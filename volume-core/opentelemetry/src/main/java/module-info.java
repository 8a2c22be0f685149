import org.jspecify.annotations.NullMarked;

/** The steps of volume4j as OpenTelemetry spans. */
@NullMarked
module io.volume4j.opentelemetry {
    requires static transitive org.jspecify;
    requires transitive io.opentelemetry.api;
    requires transitive io.volume4j.spi;
    requires io.opentelemetry.context;

    exports io.volume4j.opentelemetry;
}
