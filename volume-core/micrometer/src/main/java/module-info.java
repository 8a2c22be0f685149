import org.jspecify.annotations.NullMarked;

/** Measurements of volume4j in a Micrometer registry. */
@NullMarked
module io.volume4j.micrometer {
    requires static transitive org.jspecify;
    requires transitive io.volume4j.spi;
    requires transitive micrometer.core;

    exports io.volume4j.micrometer;
}
