# ruff: noqa: E501 -- lines of markup and of many scripts
"""Pages in Arabic, Hindi, Thai, Japanese and Amharic written for the project, with their main text."""

from typing import NamedTuple

from izwi.evaluate.gold_pages import GoldPage


class Words(NamedTuple):
    """What a site in one language says: its menu, a text, teasers of others, and readers' words."""

    code: str
    site: str
    menu: tuple[str, ...]
    title: str
    by: str
    paragraphs: tuple[str, ...]
    teasers: tuple[str, ...]
    more: str
    comments_head: str
    comments: tuple[str, ...]
    foot: str


ARABIC = Words(
    "ar", "صحيفة الميناء", ("الرئيسية", "أخبار", "رياضة", "اقتصاد", "اتصل بنا"),
    "العبّارة تتأخر مرة أخرى عن موعدها", "بقلم ليلى حداد، ٢ مارس ٢٠٢٠",
    (
        "تأخرت العبّارة المتجهة إلى الجزيرة مرة أخرى يوم الثلاثاء، ولم يعد الناس على الرصيف يسألون عن السبب منذ زمن طويل.",
        "وقال مدير الميناء إن محركًا جديدًا سيصل قبل حلول الشتاء، لكن السفينة التي ستحمله ما زالت راسية في حوض بعيد على بعد مئتي ميل شمالًا، ولا أحد يعرف متى ستبحر.",
        "وحتى ذلك الحين سيبقى المحرك القديم في الخدمة. لقد عمل ثلاثين عامًا، ولا يراهن أحد من أهل الجزيرة ضده، وإن كان بعضهم قد بدأ يجدّف بنفسه.",
        "وفي المقهى القريب من المرسى يروي الصيادون كيف كانت الرحلة تستغرق نصف يوم، ويضحكون من المسافرين الذين ينظرون إلى ساعاتهم كل دقيقة.",
    ),
    ("افتتاح السوق الجديد في وسط المدينة", "فريق الشباب يفوز في المباراة الأخيرة", "ارتفاع أسعار الخبز هذا الأسبوع", "معرض للكتب القديمة في المكتبة العامة"),
    "اقرأ أيضًا", "التعليقات",
    ("انتظرت ساعتين كاملتين تحت المطر، وهذا غير مقبول.", "شكرًا على المقال، جدي كان يعمل على هذه العبّارة."),
    "جميع الحقوق محفوظة لصحيفة الميناء",
)  # fmt: skip
HINDI = Words(
    "hi", "बंदरगाह समाचार", ("मुखपृष्ठ", "समाचार", "खेल", "व्यापार", "संपर्क करें"),
    "द्वीप की नाव फिर देर से पहुँची", "लेखक: मीरा जोशी, 2 मार्च 2020",
    (
        "मंगलवार को द्वीप जाने वाली नाव फिर देर से पहुँची, और घाट पर खड़े लोगों ने बहुत पहले ही कारण पूछना छोड़ दिया था।",
        "बंदरगाह के अधिकारी ने कहा कि सर्दियों से पहले एक नया इंजन आएगा, लेकिन जो जहाज़ उसे लाने वाला है वह अब भी दो सौ मील दूर उत्तर के एक कारखाने में खड़ा है और कोई नहीं जानता कि वह कब चलेगा।",
        "तब तक पुराने इंजन से ही काम चलाना होगा। उसने तीस साल तक काम किया है, और द्वीप पर कोई भी उसके ख़िलाफ़ शर्त नहीं लगाएगा, हालाँकि कुछ लोगों ने अब ख़ुद नाव खेना शुरू कर दिया है।",
        "घाट के पास चाय की दुकान पर मछुआरे बताते हैं कि पहले यह यात्रा आधे दिन की होती थी, और वे उन यात्रियों पर हँसते हैं जो हर मिनट अपनी घड़ी देखते हैं।",
    ),
    ("शहर के बीच नया बाज़ार खुला", "युवा टीम ने आख़िरी मैच जीता", "इस सप्ताह रोटी के दाम बढ़े", "पुस्तकालय में पुरानी किताबों की प्रदर्शनी"),
    "यह भी पढ़ें", "टिप्पणियाँ",
    ("मैंने बारिश में पूरे दो घंटे इंतज़ार किया, यह ठीक नहीं है।", "लेख के लिए धन्यवाद, मेरे दादा इसी नाव पर काम करते थे।"),
    "सर्वाधिकार सुरक्षित, बंदरगाह समाचार",
)  # fmt: skip
THAI = Words(
    "th", "ข่าวท่าเรือ", ("หน้าแรก", "ข่าว", "กีฬา", "เศรษฐกิจ", "ติดต่อเรา"),
    "เรือข้ามฟากไปเกาะมาสายอีกแล้ว", "โดย สมหญิง ใจดี 2 มีนาคม 2563",
    (
        "เรือข้ามฟากที่ไปยังเกาะมาสายอีกครั้งเมื่อวันอังคาร และผู้คนที่ยืนรออยู่บนท่าเรือก็เลิกถามถึงสาเหตุไปนานแล้ว",
        "นายท่ากล่าวว่าเครื่องยนต์ใหม่จะมาถึงก่อนฤดูหนาว แต่เรือที่จะขนมันมายังจอดอยู่ในอู่ซึ่งห่างออกไปทางเหนือสองร้อยไมล์ และไม่มีใครรู้ว่าเมื่อไรจะออกเดินทาง",
        "จนกว่าจะถึงเวลานั้นก็ต้องใช้เครื่องเก่าไปก่อน มันทำงานมาสามสิบปีแล้ว และไม่มีใครบนเกาะกล้าพนันว่ามันจะหยุด แม้ว่าบางคนจะเริ่มพายเรือเองแล้วก็ตาม",
        "ที่ร้านกาแฟใกล้ท่าเรือ ชาวประมงเล่าว่าสมัยก่อนการเดินทางใช้เวลาครึ่งวัน และพวกเขาหัวเราะเยาะผู้โดยสารที่มองนาฬิกาทุกนาที",
    ),
    ("เปิดตลาดใหม่กลางเมือง", "ทีมเยาวชนชนะนัดสุดท้าย", "ราคาขนมปังขึ้นในสัปดาห์นี้", "นิทรรศการหนังสือเก่าที่ห้องสมุด"),
    "อ่านเพิ่มเติม", "ความคิดเห็น",
    ("ฉันรอกลางฝนสองชั่วโมงเต็ม ซึ่งรับไม่ได้เลย", "ขอบคุณสำหรับบทความ ปู่ของผมเคยทำงานบนเรือลำนี้"),
    "สงวนลิขสิทธิ์ ข่าวท่าเรือ",
)  # fmt: skip
JAPANESE = Words(
    "ja", "港新聞", ("ホーム", "ニュース", "スポーツ", "経済", "お問い合わせ"),
    "島への連絡船がまた遅れる", "文・山田花子 2020年3月2日",
    (
        "島へ向かう連絡船は火曜日もまた遅れ、桟橋に立つ人々はもうずいぶん前から理由を尋ねるのをやめている。",
        "港長によると、冬が来る前に新しいエンジンが届くことになっているが、それを運ぶはずの船はまだ二百マイル北の造船所に泊まったままで、いつ出発するのか誰にも分からない。",
        "それまでは古いエンジンに頑張ってもらうしかない。三十年間動き続けてきたのだから、島の人は誰も止まるほうには賭けないが、自分で漕ぎ始めた人もいるという。",
        "船着き場の近くの喫茶店では、漁師たちが昔は半日かかったものだと話し、一分ごとに時計を見る乗客を笑っている。",
    ),
    ("町の中心に新しい市場が開く", "少年チームが最後の試合に勝利", "今週パンの値段が上がる", "図書館で古書の展示会"),
    "関連記事", "コメント",
    ("雨の中で二時間も待たされました。ひどい話です。", "記事をありがとうございます。祖父がこの船で働いていました。"),
    "無断転載を禁じます 港新聞社",
)  # fmt: skip
AMHARIC = Words(
    "am", "የወደብ ዜና", ("መነሻ", "ዜና", "ስፖርት", "ኢኮኖሚ", "ያግኙን"),
    "ወደ ደሴቱ የሚሄደው ጀልባ እንደገና ዘገየ", "በሰላም ተስፋዬ ማርች 2 ቀን 2020",
    (
        "ወደ ደሴቱ የሚሄደው ጀልባ ማክሰኞ ዕለት እንደገና ዘግይቶ ደረሰ፤ በወደቡ ላይ የቆሙት ሰዎችም ምክንያቱን መጠየቅ ካቆሙ ብዙ ጊዜ ሆኗቸዋል።",
        "የወደቡ ኃላፊ እንደተናገሩት አዲስ ሞተር ከክረምት በፊት ይመጣል፤ ነገር ግን የሚያመጣው መርከብ አሁንም ሁለት መቶ ማይል ርቆ በሰሜን በሚገኝ ፋብሪካ ውስጥ ቆሟል፤ መቼ እንደሚነሳም የሚያውቅ የለም።",
        "እስከዚያ ድረስ አሮጌው ሞተር መሥራት ይኖርበታል። ለሠላሳ ዓመታት ሠርቷል፤ በደሴቱ ላይ ያለ ማንም ሰው በእሱ ላይ አይወራረድም፤ ምንም እንኳ አንዳንዶች ራሳቸው መቅዘፍ ቢጀምሩም።",
        "በወደቡ አቅራቢያ ባለው ቡና ቤት ዓሣ አጥማጆች ጉዞው ቀድሞ ግማሽ ቀን ይፈጅ እንደነበር ይናገራሉ፤ በየደቂቃው ሰዓታቸውን በሚመለከቱ ተጓዦችም ይስቃሉ።",
    ),
    ("አዲስ ገበያ በከተማው መሃል ተከፈተ", "የወጣቶች ቡድን የመጨረሻውን ጨዋታ አሸነፈ", "በዚህ ሳምንት የዳቦ ዋጋ ጨመረ", "በቤተ መጻሕፍት የድሮ መጻሕፍት ዐውደ ርዕይ"),
    "ተጨማሪ ያንብቡ", "አስተያየቶች",
    ("በዝናብ ውስጥ ሁለት ሰዓት ሙሉ ጠበቅሁ፤ ይህ ተቀባይነት የለውም።", "ስለ ጽሑፉ አመሰግናለሁ፤ አያቴ በዚህ ጀልባ ላይ ይሠሩ ነበር።"),
    "መብቱ በሕግ የተጠበቀ ነው የወደብ ዜና",
)  # fmt: skip
ALL = (ARABIC, HINDI, THAI, JAPANESE, AMHARIC)


def modern(words: Words) -> str:
    """Return a page with elements that say what they are."""
    return (
        f'<!DOCTYPE html><html lang="{words.code}"><head><title>{words.title} | {words.site}</title></head><body>'
        f"<header><a href=/>{words.site}</a><nav><ul>{_items(words.menu)}</ul></nav></header><main><article>"
        f'<h1>{words.title}</h1><p class="byline">{words.by}</p>{_paragraphs(words)}</article></main>'
        f"<aside><h3>{words.more}</h3><ul>{_items(words.teasers)}</ul></aside>"
        f'<section id="comments" class="comments"><h3>{words.comments_head}</h3>{_comments(words)}</section>'
        f"<footer><p>© {words.foot}</p></footer></body></html>"
    )


def plain(words: Words) -> str:
    """Return a page of nothing but div elements whose names tell little."""
    return (
        f"<html><head><title>{words.title} - {words.site}</title></head><body>"
        f'<div class="a1">{_links(words.menu)}</div><div class="wrap"><div class="c1"><h1>{words.title}</h1>'
        f'<div class="x">{words.by}</div>{_paragraphs(words)}</div><div class="c2"><h4>{words.more}</h4>'
        f'{_links(words.teasers)}</div></div><div class="z">{words.foot} {_links(words.menu[-2:])}</div></body></html>'
    )


def old(words: Words) -> str:
    """Return a page laid out by a table, its paragraphs parted by line breaks."""
    return (
        f"<html><head><title>{words.title}</title></head><body><table><tr><td width=150>{_links(words.menu)}"
        f"<br>{_links(words.teasers)}</td><td><font size=5><b>{words.title}</b></font><br><br>"
        f"{'<br><br>'.join(words.paragraphs)}<br></td></tr></table><center><small>{words.foot}</small></center></body></html>"
    )


def crowded(words: Words) -> str:
    """Return a page whose teasers have a text each, before the page's own and after it."""
    cards = "".join(
        f'<div class="card"><a href="/{place}"><h3>{head}</h3></a><p>{lead}</p></div>'
        for place, (head, lead) in enumerate(zip(words.teasers, 2 * words.comments, strict=True))
    )
    return (
        f"<html><head><title>{words.title} | {words.site}</title></head><body>"
        f'<div class="wrapper"><div class="sidebar"><h4>{words.more}</h4>{cards}</div><div class="main-col">'
        f'<h1>{words.title}</h1><div class="body">{_paragraphs(words)}</div></div></div>'
        f'<section class="related"><h2>{words.more}</h2>{cards}</section>'
        f'<div class="footer">{words.foot} {_links(words.menu)}</div></body></html>'
    )


def script_pages() -> list[GoldPage]:
    """Return the pages, each language in each template."""
    return [
        GoldPage(
            make(words),
            "\n".join((words.title, *words.paragraphs)),
            f"{words.code}-{make.__name__}",
            words.code,
        )
        for words in ALL
        for make in (modern, plain, old, crowded)
    ]


def _items(texts: tuple[str, ...]) -> str:
    return "".join(f'<li><a href="/{place}">{text}</a></li>' for place, text in enumerate(texts))


def _links(texts: tuple[str, ...]) -> str:
    return " ".join(f'<a href="/{place}">{text}</a><br>' for place, text in enumerate(texts))


def _paragraphs(words: Words) -> str:
    return "".join(f"<p>{text}</p>" for text in words.paragraphs)


def _comments(words: Words) -> str:
    return "".join(f'<div class="comment"><p>{text}</p></div>' for text in words.comments)
