import org.jspecify.annotations.NullMarked;

/** The work of volume4j as events of JDK Flight Recorder. */
@NullMarked
module io.volume4j.jfr {
    requires static transitive org.jspecify;
    requires transitive io.volume4j.spi;
    requires jdk.jfr;

    exports io.volume4j.jfr;
}
